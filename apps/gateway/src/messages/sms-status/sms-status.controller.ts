import { Body, Controller, Get, Headers, HttpCode, Inject, Param, Post, Query, Req } from '@nestjs/common';
import { ApiConsumes, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { SmsReportResponse } from '@postrider/contracts';
import { DomainError } from '@postrider/domain';
import type { FallbackReport } from '@postrider/persistence';
import { CONFIG, type Config } from '@postrider/platform';
import type { FastifyRequest } from 'fastify';
import { Public } from '../../auth/endpoint-access.decorator';
import { publicAddress } from '../../auth/public-address';
import {
  readHttpReport,
  readKavenegarReport,
  readTwilioReport,
  type ReportFields,
  SmsReports,
} from './sms-reports.service';
import { ReportingProviders } from './reporting-providers.service';

const READERS: ReadonlyMap<string, (fields: ReportFields) => FallbackReport | null> = new Map([
  ['kavenegar', readKavenegarReport],
  ['http', readHttpReport],
]);

const PROVIDER = { name: 'provider', enum: [...READERS.keys()] };
const APP_ID = { name: 'appId', schema: { type: 'string' } } as const;
const SECRET = {
  name: 'secret',
  schema: { type: 'string' },
  description: 'the secret in the `statusUrl` that was returned when the credentials were stored',
} as const;

/** Receives the reports of SMS providers about fallbacks. They have no token: see `ReportingProviders`. */
@ApiTags('SMS reports')
@Public()
@Controller('api/sms/status')
export class SmsStatusController {
  constructor(
    private readonly providers: ReportingProviders,
    private readonly reports: SmsReports,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Post('twilio/:appId')
  @HttpCode(200)
  @ApiConsumes('application/x-www-form-urlencoded')
  @ApiOperation({ summary: "Receive Twilio's report about an SMS, signed with X-Twilio-Signature" })
  @ApiOkResponse({ type: SmsReportResponse })
  async twilio(
    @Param('appId') appId: string,
    @Req() request: FastifyRequest,
    @Headers('x-twilio-signature') signature: string | undefined,
    @Query() query: Record<string, string>,
    @Body() body: Record<string, string> | undefined,
  ): Promise<SmsReportResponse> {
    const form = body ?? {};
    await this.providers.checkTwilio(appId, { signature, url: this.#addressOf(request), form });
    const report = readTwilioReport({ ...form, fallback: textOf(query.fallback) });
    return { recorded: await this.reports.record(appId, report) };
  }

  @Post(':provider/:appId/:secret')
  @HttpCode(200)
  @ApiConsumes('application/x-www-form-urlencoded')
  @ApiOperation({ summary: "Receive a provider's report about an SMS as a form" })
  @ApiParam(PROVIDER)
  @ApiParam(APP_ID)
  @ApiParam(SECRET)
  @ApiOkResponse({ type: SmsReportResponse })
  async post(
    @Param() address: Record<'provider' | 'appId' | 'secret', string>,
    @Query() query: ReportFields,
    @Body() body: ReportFields | undefined,
  ): Promise<SmsReportResponse> {
    return this.#record(address, { ...query, ...body });
  }

  @Get(':provider/:appId/:secret')
  @ApiOperation({ summary: "Receive a provider's report about an SMS as a query" })
  @ApiParam(PROVIDER)
  @ApiParam(APP_ID)
  @ApiParam(SECRET)
  @ApiOkResponse({ type: SmsReportResponse })
  async get(
    @Param() address: Record<'provider' | 'appId' | 'secret', string>,
    @Query() query: ReportFields,
  ): Promise<SmsReportResponse> {
    return this.#record(address, query);
  }

  async #record(
    { provider, appId, secret }: Record<'provider' | 'appId' | 'secret', string>,
    fields: ReportFields,
  ): Promise<SmsReportResponse> {
    const read = READERS.get(provider);
    if (read === undefined) throw new DomainError('NOT_FOUND', 'There is no such provider');
    await this.providers.checkSecret(appId, provider, secret);
    const texts = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, textOf(value)]));
    return { recorded: await this.reports.record(appId, read(texts)) };
  }

  /** The address as the provider knows it: `PUBLIC_URL`, because a proxy in front may have changed host and scheme. */
  #addressOf(request: FastifyRequest): string {
    return publicAddress(this.config, request) + request.originalUrl;
  }
}

/** A query may contain a name twice; then its value is a list. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
