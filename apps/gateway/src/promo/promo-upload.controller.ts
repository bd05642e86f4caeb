import { Readable } from 'node:stream';
import { Controller, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBody,
  ApiConsumes,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiQuery,
  ApiTags,
} from '@nestjs/swagger';
import {
  ACCEPTED_PROMO_UPLOAD_SCHEMA,
  PROMO_FILE_SCHEMA,
  PROMO_UPLOAD_SCHEMA,
  type PromoUploadRequest,
  readPromoUpload,
} from '@postrider/contracts';
import { DomainError } from '@postrider/domain';
import type { FastifyReply } from 'fastify';
import type { AuthenticatedRequest } from '../auth/current-caller.decorator';
import { RequireScope, TakesUpload } from '../auth/route-access.decorator';
import { UpdatePromoCodes, type UpdateOutcome } from './update-promo-codes.service';

/** `?async`, for the API document. */
const ASYNC = {
  name: 'async',
  required: false,
  schema: { type: 'boolean' },
  description: 'answer 202 with a job to follow as soon as the file is here',
} as const;

/** Replaces promo codes (push-api, Promo codes). */
@ApiTags('Promo codes')
@RequireScope('promo')
@Controller('api/containers')
export class PromoUploadController {
  constructor(private readonly updatePromoCodes: UpdatePromoCodes) {}

  @Post('updatePromoCodes/:trackId')
  @TakesUpload()
  @HttpCode(200)
  @ApiOperation({ summary: "Replace a campaign's promo codes by those of a file" })
  @ApiParam({ name: 'trackId' })
  @ApiQuery(ASYNC)
  @ApiConsumes('multipart/form-data')
  @ApiBody({ schema: PROMO_FILE_SCHEMA })
  @ApiOkResponse({ schema: PROMO_UPLOAD_SCHEMA })
  @ApiAcceptedResponse({ schema: ACCEPTED_PROMO_UPLOAD_SCHEMA })
  async updateCampaign(
    @Req() request: AuthenticatedRequest,
    @Param('trackId') trackId: string,
    @Query() query: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<UpdateOutcome['answer']> {
    return this.#update(request, readPromoUpload(query, trackId), reply);
  }

  @Post('updateGlobalPromoCodes')
  @TakesUpload()
  @HttpCode(200)
  @ApiOperation({ summary: "Replace an application's global promo codes by those of a file" })
  @ApiQuery(ASYNC)
  @ApiConsumes('multipart/form-data')
  @ApiBody({ schema: PROMO_FILE_SCHEMA })
  @ApiOkResponse({ schema: PROMO_UPLOAD_SCHEMA })
  @ApiAcceptedResponse({ schema: ACCEPTED_PROMO_UPLOAD_SCHEMA })
  async updateGlobal(
    @Req() request: AuthenticatedRequest,
    @Query() query: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<UpdateOutcome['answer']> {
    return this.#update(request, readPromoUpload(query), reply);
  }

  async #update(
    request: AuthenticatedRequest,
    upload: PromoUploadRequest,
    reply: FastifyReply,
  ): Promise<UpdateOutcome['answer']> {
    if (!(request.body instanceof Readable)) {
      throw new DomainError('UNSUPPORTED_MEDIA_TYPE', 'The body must be multipart/form-data with a part named file');
    }
    const { kind, answer } = await this.updatePromoCodes.update(request.caller.appId, upload, request.raw);
    if (kind === 'accepted') void reply.code(202);
    return answer;
  }
}
