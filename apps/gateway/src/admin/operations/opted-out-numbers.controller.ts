import { Controller, Delete, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { cutList, makeCursor, OptedOutNumbersQuery, OptedOutNumbersResponse } from '@postrider/contracts';
import { DomainError } from '@postrider/domain';
import { OptedOutNumbersRepository } from '@postrider/persistence';
import { OperatorOnly } from '../../auth/endpoint-access.decorator';
import { Applications } from '../applications/applications.service';

/**
 * Numbers whose owners told an SMS provider to stop: they get no fallback until the operator removes them here. Only digests of
 * them are kept.
 */
@ApiTags('Operations')
@OperatorOnly()
@Controller('api/admin/apps/:id/opted-out-numbers')
export class OptedOutNumbersController {
  constructor(
    private readonly optedOutNumbers: OptedOutNumbersRepository,
    private readonly applications: Applications,
  ) {}

  @Get()
  @ApiOperation({ summary: 'List the numbers whose owners opted out of SMS' })
  @ApiOkResponse({ type: OptedOutNumbersResponse })
  async list(@Param('id') appId: string, @Query() query: OptedOutNumbersQuery): Promise<OptedOutNumbersResponse> {
    const { cursor: after = '', limit } = query;
    await this.applications.check(appId);
    await this.optedOutNumbers.digest(appId);
    const found = await this.optedOutNumbers.list(appId, { after, limit: limit + 1 });
    const { entries, nextCursor } = cutList(found, limit, ({ digest }) => makeCursor(digest));
    return { numbers: entries.map((entry) => ({ ...entry, optedOutAt: entry.optedOutAt.toISOString() })), nextCursor };
  }

  @Delete(':phone')
  @ApiOperation({ summary: 'Allow SMS to a number again; the path has the number or its digest' })
  @ApiOkResponse({ schema: { type: 'object', properties: { phone: { type: 'string' } } } })
  async remove(@Param('id') appId: string, @Param('phone') phone: string): Promise<{ phone: string }> {
    if (!(await this.optedOutNumbers.delete(appId, phone))) {
      throw new DomainError('NOT_FOUND', 'There is no such number');
    }
    return { phone };
  }
}
