import { normaliseName, normaliseText, UUID } from '@postrider/domain';
import { fieldOf, Optional, Rule } from '../validation/field';
import { type AnswerFormat, IsAnswerFormat, IsAnyText, IsName } from '../validation/fields';
import { IsCursor, IsLimit, placeOf } from '../validation/paging';
import type { Reading } from '../validation/reading';
import { readName } from '../validation/values';

const MOST = 200;
const USUAL = 50;
/** The id of a message and the place of a device. */
const DELIVERY_PLACE = new RegExp(UUID.source.replace(/\$$/, String.raw` \d{1,18}$`));

/** The path of resources of one user. */
export class UserPath {
  @IsName() userId!: string;
}

/** The query of `GET /api/users`. */
export class ListUsersQuery {
  @IsPrefix() prefix!: string;

  @Optional()
  @IsName('only users with this attribute, and `value` in it')
  @Rule<ListUsersQuery>(({ attribute, value }) =>
    attribute !== undefined && value === undefined ? 'needs value' : null,
  )
  attribute?: string;

  @Optional()
  @IsAnyText('the attribute as text, exactly: `true`, `3`, `Graz`')
  @Rule<ListUsersQuery>(({ attribute, value }) =>
    value !== undefined && attribute === undefined ? 'needs attribute' : null,
  )
  value?: string;

  @Optional() @IsNameCursor() cursor?: string;
  @IsLimit(MOST, USUAL) limit!: number;
  /** CSV contains all users: `cursor` and `limit` are ignored. */
  @Optional() @IsAnswerFormat() format?: AnswerFormat;
}

/** The query of `GET /api/users/:userId/deliveries`. */
export class ListUserDeliveriesQuery {
  @IsCursor(DELIVERY_PLACE) cursor?: string;
  @IsLimit(MOST, USUAL) limit!: number;
}

/** The beginning of ids; '' for all. */
function IsPrefix(): PropertyDecorator {
  return fieldOf({
    name: 'isPrefix',
    read: (value) =>
      value === '' ? { value } : readName(typeof value === 'string' ? (normaliseText(value) ?? '') : value),
    schema: { type: 'string', maxLength: 255, default: '', description: 'the beginning of the ids' },
  });
}

/** A cursor whose place is a user's id. */
function IsNameCursor(): PropertyDecorator {
  return fieldOf({
    name: 'isNameCursor',
    read: (value): Reading<string> => {
      const name = typeof value === 'string' ? normaliseName(placeOf(value)) : null;
      return name === null ? { problem: 'must be the nextCursor of an earlier answer' } : { value: name };
    },
    schema: { type: 'string', description: '`nextCursor` of an earlier answer' },
  });
}
