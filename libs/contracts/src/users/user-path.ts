import { IsName } from '../validation/fields';

/** The path of what belongs to one user. */
export class UserPath {
  @IsName()
  userId!: string;
}
