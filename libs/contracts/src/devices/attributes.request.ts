import { Example, Optional, Rule, SaysOfClass } from '../validation/field';
import { IsAnyNumber, IsName } from '../validation/fields';
import { IsNestedList } from '../validation/nested';
import { FORBIDDEN_KEYS } from '../validation/parse-json-body';
import { type AttributeValue, IsAttributeMap, MOST_ATTRIBUTES } from './attribute-value';
import { IsUserHash, IsUserId } from '../validation/user-identity';

const DEVICE = '01932c5e-7f7a-7c3e-8a3b-0f6d2a1b4c5d';

/** The body of `POST installations/attributes`: attributes of a user or of one installation. */
@SaysOfClass({
  description: 'Attributes of a user, or of one installation alone',
  oneOf: [{ required: ['userId'] }, { required: ['installationId'] }],
  examples: [
    { userId: 'ada', attributes: { plan: 'gold', interests: ['chess'], age: null } },
    { installationId: DEVICE, attributes: { theme: 'dark' } },
  ],
})
export class AttributesRequest {
  @Optional()
  @IsUserId()
  @Rule<AttributesRequest>(({ userId, installationId }) =>
    (userId === undefined) === (installationId === undefined) ? 'is required, or installationId, but not both' : null,
  )
  userId?: string;

  @Optional() @IsName() installationId?: string;
  @IsAttributeMap() attributes!: Record<string, AttributeValue>;
}

/** An addition to one attribute. */
export class AttributeIncrement {
  @IsName('an attribute that is a number; an absent one counts as 0')
  @Rule<AttributeIncrement>(({ attribute = '' }) => (FORBIDDEN_KEYS.has(attribute) ? 'is not allowed as a name' : null))
  attribute!: string;

  @IsAnyNumber('the number to add; a negative number is subtracted') value!: number;
}

/** The body of `POST installations/incrementAttribute`. */
@Example({ installationId: DEVICE, attributes: [{ attribute: 'points', value: 5 }] })
export class IncrementRequest {
  @IsName() installationId!: string;
  @Optional() @IsUserHash() userHash?: string;
  @IsNestedList(() => AttributeIncrement, { max: MOST_ATTRIBUTES }) attributes!: AttributeIncrement[];
}
