import { ApplicationEntity } from '../applications/application.entity';
import { EndedSessionEntity } from '../sign-ins/ended-session.entity';
import { SignInFailureEntity } from '../sign-ins/sign-in-failure.entity';
import { AccessTokenEntity } from '../tokens/access-token.entity';
import { VendorCredentialEntity } from '../vendor-credentials/vendor-credential.entity';

/** Every TypeORM entity; single rows are read and written with them, sets with `sql`. */
export const ENTITIES: (abstract new () => object)[] = [
  ApplicationEntity,
  EndedSessionEntity,
  SignInFailureEntity,
  AccessTokenEntity,
  VendorCredentialEntity,
];
