import { ApplicationEntity } from '../applications/application.entity';
import { EndedSessionEntity } from '../sign-ins/ended-session.entity';
import { SignInFailureEntity } from '../sign-ins/sign-in-failure.entity';
import { TokenEntity } from '../tokens/token.entity';
import { VendorCredentialEntity } from '../vendor-credentials/vendor-credential.entity';

/** Every TypeORM entity: the tables whose rows are read and written one at a time. Sets go through `*.query.ts`. */
export const ENTITIES: (abstract new () => object)[] = [
  ApplicationEntity,
  EndedSessionEntity,
  SignInFailureEntity,
  TokenEntity,
  VendorCredentialEntity,
];
