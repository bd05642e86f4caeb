import { Example, Optional } from '../validation/field';
import { IsUserHash } from '../validation/user-identity';
import { IsName, IsNameList, IsOneOf } from '../validation/fields';

/** The most tags in one request and of one user. */
export const MOST_TAGS = 1_000;

const ASKING_DEVICE = 'the device that makes the request, with a token of the scope `devices`';

/** A tag of a user: the body of `removeValueTag`. */
@Example({ userId: 'ada', tag: 'city' })
export class TagOfUserRequest {
  @IsName() userId!: string;
  @IsName() tag!: string;
}

/** The body of `addValueTag`. */
@Example({ userId: 'ada', tag: 'city', value: 'Utrecht' })
export class ValueTagRequest extends TagOfUserRequest {
  @IsName() value!: string;
}

/** The body of `addTags` and `removeTags`. */
@Example({ userId: 'ada', tags: ['gold', 'chess'] })
export class TagsRequest {
  @IsName() userId!: string;
  @IsNameList({ min: 1, max: MOST_TAGS }) tags!: string[];
  @Optional() @IsName(ASKING_DEVICE) installationId?: string;
  @Optional() @IsUserHash() userHash?: string;
}

/** The query of `addTags` and `removeTags`, for requests without a body. */
export class TagsQuery {
  @Optional() @IsName(`${ASKING_DEVICE}; may be in the body instead`) installationId?: string;
}

/** The path of `addTag` and `removeTag`. */
export class TagPath {
  @IsName() user_id!: string;
  @IsName() tag!: string;
}

/** The query of `POST installations/bulk/tags`. */
export class TagFileQuery {
  @IsOneOf(['add', 'remove'], { default: 'add', description: 'the operation of lines that name none' })
  operation!: 'add' | 'remove';
}
