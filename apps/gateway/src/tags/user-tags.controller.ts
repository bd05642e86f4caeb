import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { UserPath } from '@postrider/contracts';
import type { Caller } from '../auth/caller';
import { CurrentCaller } from '../auth/current-caller.decorator';
import { RequireScope } from '../auth/route-access.decorator';
import { ApiUserHash, UserHash } from '../devices/registration/user-hash';
import { DeviceOwner } from './device-owner.service';
import { EditTags } from './edit-tags.service';

/** Which tags a user carries. */
@ApiTags('Tags')
@RequireScope('devices', 'tags', 'read')
@Controller('api/installations/tags')
export class UserTagsController {
  constructor(
    private readonly editTags: EditTags,
    private readonly deviceOwner: DeviceOwner,
  ) {}

  @Get(':userId')
  @ApiOperation({ summary: "List a user's tags; of a key/value tag its key" })
  @ApiOkResponse({ schema: { type: 'array', items: { type: 'string' } } })
  @ApiUserHash()
  async list(
    @CurrentCaller() caller: Caller,
    @Param() { userId }: UserPath,
    @UserHash() userHash: string | null,
  ): Promise<string[]> {
    await this.deviceOwner.checkReader(caller, userId, userHash);
    return this.editTags.list(caller.appId, userId);
  }
}
