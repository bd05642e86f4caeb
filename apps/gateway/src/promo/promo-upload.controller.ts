import { Readable } from 'node:stream';
import { Controller, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBody, ApiConsumes, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  AcceptedPromoUploadResponse,
  PromoFileRequest,
  PromoUploadPath,
  PromoUploadQuery,
  PromoUploadResponse,
} from '@postrider/contracts';
import { DomainError } from '@postrider/domain';
import type { FastifyReply } from 'fastify';
import type { AuthenticatedRequest } from '../auth/caller';
import { RequireScope, TakesUpload } from '../auth/endpoint-access.decorator';
import { type AskedUpload, UpdatePromoCodes, type UpdateOutcome } from './update-promo-codes.service';

/** Replaces promo codes. */
@ApiTags('Promo codes')
@RequireScope('promo')
@Controller('api/containers')
export class PromoUploadController {
  constructor(private readonly updatePromoCodes: UpdatePromoCodes) {}

  @Post('updatePromoCodes/:track_id')
  @TakesUpload()
  @HttpCode(200)
  @ApiOperation({ summary: "Replace a campaign's promo codes with those in a file" })
  @ApiConsumes('multipart/form-data')
  @ApiBody({ type: PromoFileRequest })
  @ApiOkResponse({ type: PromoUploadResponse })
  @ApiAcceptedResponse({ type: AcceptedPromoUploadResponse })
  async updateCampaign(
    @Req() request: AuthenticatedRequest,
    @Param() path: PromoUploadPath,
    @Query() query: PromoUploadQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<UpdateOutcome['answer']> {
    return this.#update(request, { trackId: path.track_id, isAsync: query.async }, reply);
  }

  @Post('updateGlobalPromoCodes')
  @TakesUpload()
  @HttpCode(200)
  @ApiOperation({ summary: "Replace an application's global promo codes with those in a file" })
  @ApiConsumes('multipart/form-data')
  @ApiBody({ type: PromoFileRequest })
  @ApiOkResponse({ type: PromoUploadResponse })
  @ApiAcceptedResponse({ type: AcceptedPromoUploadResponse })
  async updateGlobal(
    @Req() request: AuthenticatedRequest,
    @Query() query: PromoUploadQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<UpdateOutcome['answer']> {
    return this.#update(request, { trackId: null, isAsync: query.async }, reply);
  }

  async #update(
    request: AuthenticatedRequest,
    upload: AskedUpload,
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
