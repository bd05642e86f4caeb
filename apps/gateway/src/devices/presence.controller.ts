import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { PresenceResponse } from '@postrider/contracts';
import { isUuid } from '@postrider/domain';
import { PresenceRepository } from '@postrider/persistence';
import { type Caller, CurrentCaller } from '../auth/caller';
import { RequireScope } from '../auth/endpoint-access.decorator';
import { unknownInstallation } from './show-installation';

/** Which devices are connected. */
@ApiTags('Installations')
@RequireScope('devices', 'read')
@Controller('api/installations')
export class PresenceController {
  constructor(private readonly presence: PresenceRepository) {}

  @Get(':id/presence')
  @ApiOperation({ summary: 'Read if a device is connected' })
  @ApiOkResponse({ type: PresenceResponse })
  async read(@CurrentCaller() { appId }: Caller, @Param('id') id: string): Promise<PresenceResponse> {
    const presence = isUuid(id) ? await this.presence.read(appId, id) : null;
    if (!presence) throw unknownInstallation();
    const { isOnline, connectedAt, lastSeenAt } = presence;
    return {
      installationId: id.toLowerCase(),
      online: isOnline,
      connectedAt: connectedAt?.toISOString() ?? null,
      lastSeenAt: lastSeenAt?.toISOString() ?? null,
    };
  }
}
