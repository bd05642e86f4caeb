import { applyDecorators, Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import {
  ApiBody,
  ApiExtraModels,
  ApiHeader,
  ApiOkResponse,
  ApiOperation,
  ApiResponse,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import {
  MOST_TRACKED,
  TrackPurchaseRequest,
  TrackRequest,
  TrackResponse,
  TrackRevenueRequest,
  trackingOf,
  type TrackingRequest,
} from '@postrider/contracts';
import type { FastifyReply } from 'fastify';
import type { AuthenticatedRequest } from '../auth/caller';
import { RequireScope } from '../auth/endpoint-access.decorator';
import { ApiUserHash, UserHash } from '../devices/registration/user-hash.decorator';
import { readIdempotencyKey } from '../messages/sending/idempotency';
import { TrackEvents } from './track-events.service';
import { TrackedBodies } from './tracked-bodies.pipe';

/** Events that a backend tracks, or a device for its own user. */
@ApiTags('Events')
@RequireScope('send', 'devices')
@Controller('api/installations')
export class TrackController {
  constructor(private readonly trackEvents: TrackEvents) {}

  @Post('track')
  @HttpCode(200)
  @ApiTrack('Track an event of a user or of an installation')
  track(
    @Req() request: AuthenticatedRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() body: TrackRequest,
    @UserHash() userHash: string | null,
  ): Promise<TrackResponse> {
    return this.#track({ kind: 'track', request, reply, userHash }, trackingOf(body));
  }

  @Post('trackPurchase')
  @HttpCode(200)
  @ApiTrack('Track an event that brought revenue in')
  trackPurchase(
    @Req() request: AuthenticatedRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() body: TrackPurchaseRequest,
    @UserHash() userHash: string | null,
  ): Promise<TrackResponse> {
    return this.#track({ kind: 'trackPurchase', request, reply, userHash }, trackingOf(body));
  }

  @Post('trackRevenue')
  @HttpCode(200)
  @ApiTrack('Track revenue, as the event Purchase')
  trackRevenue(
    @Req() request: AuthenticatedRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() body: TrackRevenueRequest,
    @UserHash() userHash: string | null,
  ): Promise<TrackResponse> {
    return this.#track({ kind: 'trackRevenue', request, reply, userHash }, trackingOf(body));
  }

  @Post('trackBulk')
  @HttpCode(200)
  @ApiExtraModels(TrackRequest)
  @ApiBody({
    schema: {
      type: 'array',
      minItems: 1,
      maxItems: MOST_TRACKED,
      items: { $ref: getSchemaPath(TrackRequest) },
      example: [
        { userId: 'ada', eventName: 'signup' },
        { userId: 'grace', eventName: 'level', eventData: { value: 3 } },
      ],
    },
  })
  @ApiTrack('Track up to 1,000 events: all of them, or none when one is wrong')
  trackBulk(
    @Req() request: AuthenticatedRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body(TrackedBodies) body: TrackingRequest[],
    @UserHash() userHash: string | null,
  ): Promise<TrackResponse> {
    return this.#track({ kind: 'trackBulk', request, reply, userHash }, body);
  }

  async #track(received: Received, events: TrackingRequest | TrackingRequest[]): Promise<TrackResponse> {
    const { kind, request, reply, userHash } = received;
    const idempotencyKey = await readIdempotencyKey(request.headers['idempotency-key'], kind, request.body);
    const claim = { caller: request.caller, userHash, idempotencyKey };
    const { answer, isReplay } = Array.isArray(events)
      ? await this.trackEvents.trackAll(claim, events)
      : await this.trackEvents.track(claim, events);
    if (isReplay) void reply.header('idempotent-replayed', 'true');
    return { queued: true, n: answer.n };
  }
}

/** A request to track something. */
interface Received {
  kind: string;
  request: AuthenticatedRequest;
  reply: FastifyReply;
  userHash: string | null;
}

/** Documents a call that tracks (OpenAPI). */
function ApiTrack(summary: string): MethodDecorator {
  return applyDecorators(
    ApiOperation({ summary }),
    ApiUserHash(),
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description: '1-255 printable characters; the same key and body within 24 hours is recorded once',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    }),
    ApiOkResponse({ type: TrackResponse }),
    ApiResponse({ status: 409, description: 'a request with this Idempotency-Key is still running' }),
    ApiResponse({ status: 422, description: 'this Idempotency-Key was used for another request' }),
  );
}
