import { ApplicationEntity } from '../applications/application.entity';
import { TokenEntity } from '../tokens/token.entity';
import { VendorCredentialEntity } from '../vendor-credentials/vendor-credential.entity';

/** Every TypeORM entity: the tables whose rows are read and written one at a time. Sets go through `*.query.ts`. */
export const ENTITIES: (abstract new () => object)[] = [ApplicationEntity, TokenEntity, VendorCredentialEntity];
