import { Optional } from '../validation/field';
import { IsOneOf, IsTime, IsWholeNumber } from '../validation/fields';

/** The path of the report of uninstalled apps: a span of time, either end first. */
export class UninstallReportPath {
  @IsTime() from!: Date;
  @IsTime() to!: Date;
}

/** The query of the report of uninstalled apps. */
export class UninstallReportQuery {
  @IsWholeNumber(0, 1_000_000_000, { default: 0, description: 'entries to pass over' }) offset!: number;
  @IsWholeNumber(1, 1_000, { default: 25, description: 'entries to answer at most' }) limit!: number;

  @Optional()
  @IsOneOf(['churn', ''], { description: 'churn: only devices whose user has no other reachable device now' })
  type?: 'churn' | '';
}
