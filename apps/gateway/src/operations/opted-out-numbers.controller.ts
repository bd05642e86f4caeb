import { Controller, Delete, Get, Inject, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  type Listed,
  makeCursor,
  OPTED_OUT_NUMBERS_SCHEMA,
  type OptedOutNumberResponse,
  readListOptedOutNumbers,
} from '@postrider/contracts';
import { DomainError } from '@postrider/domain';
import {
  type Database,
  DATABASE,
  deleteOptedOutNumber,
  findApplication,
  listOptedOutNumbers,
} from '@postrider/persistence';
import { OperatorOnly } from '../auth/route-access.decorator';
import { ApiListQuery } from '../reading/list-query.decorator';

/** Numbers whose owners told an SMS provider to stop: they get no fallback until the operator removes them here. */
@ApiTags('Operations')
@OperatorOnly()
@Controller('api/admin/apps/:id/opted-out-numbers')
export class OptedOutNumbersController {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  @Get()
  @ApiOperation({ summary: 'List the numbers that get no SMS because their owners said so' })
  @ApiListQuery()
  @ApiOkResponse({ schema: OPTED_OUT_NUMBERS_SCHEMA })
  async list(@Param('id') appId: string, @Query() query: unknown): Promise<Listed<'numbers', OptedOutNumberResponse>> {
    const { afterPhone, limit } = readListOptedOutNumbers(query);
    if (!(await findApplication(this.database, appId))) {
      throw new DomainError('NOT_FOUND', 'There is no such application');
    }
    const found = await listOptedOutNumbers(this.database, appId, { afterPhone, limit: limit + 1 });
    const numbers = found.slice(0, limit).map((number) => ({ ...number, optedOutAt: number.optedOutAt.toISOString() }));
    const last = numbers.at(-1);
    return { numbers, nextCursor: found.length > limit && last ? makeCursor(last.phone) : null };
  }

  @Delete(':phone')
  @ApiOperation({ summary: 'Let a number get SMS again' })
  @ApiOkResponse({ schema: { type: 'object', properties: { phone: { type: 'string' } } } })
  async remove(@Param('id') appId: string, @Param('phone') phone: string): Promise<{ phone: string }> {
    if (!(await deleteOptedOutNumber(this.database, appId, phone))) {
      throw new DomainError('NOT_FOUND', 'There is no such number');
    }
    return { phone };
  }
}
