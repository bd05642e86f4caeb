import { WINNER_METRICS, type WinnerMetric } from '@postrider/domain';
import {
  CountField,
  FlagField,
  ListField,
  NumberField,
  ObjectField,
  TextField,
  TimeField,
  WordField,
} from '../validation/answers';
import { IsName } from '../validation/fields';
import { Example } from '../validation/field';

/** The body of `POST /api/push/campaigns/:id/winner`. */
@Example({ variant: 'B' })
export class ChosenWinnerRequest {
  @IsName('the name of one of the variants') variant!: string;
}

/** A share of users, and the interval that contains the true share in 95 of 100 cases (Wilson). */
export class ShareResponse {
  @CountField() users!: number;
  @NumberField({ isNullable: true, description: 'share of the users sent to; null: there were none' }) share!:
    number | null;
  @NumberField({ isNullable: true }) low!: number | null;
  @NumberField({ isNullable: true }) high!: number | null;
}

/** The results of users who got the same content. */
export class TestFiguresResponse {
  @CountField({ description: 'devices' }) sent!: number;
  @CountField({ description: 'devices' }) delivered!: number;
  @CountField({ description: 'devices' }) opened!: number;
  @CountField({ description: 'devices that chose an action or a link' }) clicked!: number;
  @CountField({ description: 'users sent to who are still known' }) users!: number;
  @ObjectField(() => ShareResponse) usersOpened!: ShareResponse;
  @ObjectField(() => ShareResponse) usersClicked!: ShareResponse;
  @ObjectField(() => ShareResponse, { description: 'users with a conversion since then, by any message' })
  usersConverted!: ShareResponse;
}

/**
 * The results of one variant: of all devices that got it, and of the users who compare, without those who got it as the
 * winner.
 */
export class VariantFiguresResponse extends TestFiguresResponse {
  @TextField() name!: string;
  @CountField() weight!: number;
  @FlagField() isWinner!: boolean;
}

/** Users who got nothing, for comparison. */
export class HoldoutResponse {
  @CountField() percent!: number;
  @CountField() users!: number;
  @ObjectField(() => ShareResponse) usersConverted!: ShareResponse;
  @TextField({ description: 'says if the difference to the others is more than chance' }) verdict!: string;
}

/** The choice among the variants. */
export class WinnerResponse {
  @WordField(WINNER_METRICS) metric!: WinnerMetric;
  @TextField({ isNullable: true, description: 'null: not chosen yet' }) variant!: string | null;
  @TimeField({ isNullable: true, description: 'when it is chosen; null: before the campaign has left, or afterwards' })
  dueAt!: string | null;
  @TimeField({ isNullable: true }) decidedAt!: string | null;
  @WordField(['figures', 'caller'], { isNullable: true }) decidedBy!: 'figures' | 'caller' | null;
}

/** The comparison of a campaign's variants with each other and with the holdout. */
export class CampaignTestResponse {
  @ListField(() => VariantFiguresResponse) variants!: VariantFiguresResponse[];
  @ObjectField(() => TestFiguresResponse, { description: 'all users who were sent to' }) all!: TestFiguresResponse;
  @ObjectField(() => HoldoutResponse, { isNullable: true }) holdout!: HoldoutResponse | null;
  @ObjectField(() => WinnerResponse, { isNullable: true }) winner!: WinnerResponse | null;
  @TextField({ isNullable: true, description: 'says if the difference between the variants is more than chance' })
  verdict!: string | null;
}
