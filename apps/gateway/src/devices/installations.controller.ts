import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  CountResponse,
  DeferredLinkRequest,
  DeviceTokenRequest,
  InstallationResponse,
  InstallationsQuery,
  RegistrationRequest,
} from '@postrider/contracts';
import { covers, isUuid } from '@postrider/domain';
import type { FastifyRequest } from 'fastify';
import { type Caller, CurrentCaller } from '../auth/caller';
import { RequireScope } from '../auth/endpoint-access.decorator';
import { unauthorized } from '../auth/request-token';
import { ClaimDeferredLink } from './registration/claim-deferred-link.service';
import { Installations } from './installations.service';
import { showInstallation, unknownInstallation } from './show-installation';
import { PageStart } from './registration/page-start.service';
import { RegisterDevice } from './registration/register-device.service';
import { ApiUserHash, UserHash } from './registration/user-hash.decorator';
import { UserIdentity } from './registration/user-identity.service';

/** Registration of devices. */
@ApiTags('Installations')
@RequireScope('devices')
@Controller('api/installations')
export class InstallationsController {
  constructor(
    private readonly registerDevice: RegisterDevice,
    private readonly installations: Installations,
    private readonly identity: UserIdentity,
    private readonly claimDeferredLink: ClaimDeferredLink,
    private readonly pageStart: PageStart,
  ) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({ summary: 'Register a device' })
  @ApiUserHash()
  @ApiOkResponse({ type: InstallationResponse })
  async register(
    @CurrentCaller() caller: Caller,
    @Req() http: FastifyRequest,
    @Body() request: RegistrationRequest,
    @UserHash() userHash: string | null,
  ): Promise<InstallationResponse> {
    const { appId } = caller;
    const isProved = await this.#check(caller, request, userHash);
    const pageId = this.pageStart.installationIdOf(appId, request, http.raw);
    const { isNew, ...installation } = await this.registerDevice.register(appId, request, isProved, pageId);
    const link = isNew ? await this.claimDeferredLink.take(appId, installation, request, http) : null;
    const shown = showInstallation(appId, installation);
    if (link !== null) shown.deferredDeepLink = link;
    return shown;
  }

  @Post('deferredDeepLink')
  @HttpCode(200)
  @ApiOperation({ summary: 'Report if the app opened its deferred deep link' })
  @ApiOkResponse({ type: CountResponse })
  async decideDeferredLink(
    @CurrentCaller() { appId }: Caller,
    @Body() body: DeferredLinkRequest,
  ): Promise<CountResponse> {
    const { installationId, opened } = body;
    await this.claimDeferredLink.decide(appId, installationId, opened);
    return { count: 1 };
  }

  @Post('updateDeviceToken')
  @HttpCode(200)
  @ApiOperation({ summary: "Change a device's vendor token" })
  @ApiUserHash()
  @ApiOkResponse({ type: InstallationResponse })
  async updateDeviceToken(
    @CurrentCaller() { appId, scopes }: Caller,
    @Body() request: DeviceTokenRequest,
    @UserHash() userHash: string | null,
  ): Promise<InstallationResponse> {
    if (!isUuid(request.installationId)) throw unknownInstallation();
    const isProved = covers(scopes, 'server') || (await this.identity.verify(appId, request.userId, userHash));
    return showInstallation(appId, await this.registerDevice.changeToken(appId, request, isProved));
  }

  @Put(':id')
  @ApiOperation({ summary: "Replace an installation's state" })
  @ApiUserHash()
  @ApiOkResponse({ type: InstallationResponse })
  async replace(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() request: RegistrationRequest,
    @UserHash() userHash: string | null,
  ): Promise<InstallationResponse> {
    const { appId } = caller;
    const isProved = await this.#check(caller, request, userHash);
    if (!isUuid(id)) throw unknownInstallation();
    return showInstallation(appId, await this.registerDevice.replace(appId, id, request, isProved));
  }

  @Get()
  @ApiOperation({ summary: 'Read several installations' })
  @ApiUserHash()
  @ApiOkResponse({ type: [InstallationResponse] })
  async list(
    @CurrentCaller() caller: Caller,
    @Query() { filter }: InstallationsQuery,
    @UserHash() userHash: string | null,
  ): Promise<InstallationResponse[]> {
    const { appId } = caller;
    const found = await this.installations.find(appId, filter);
    for (const { userId } of found) await this.#checkReader(caller, userId, userHash);
    return found.map(({ userInfo, ...installation }) => showInstallation(appId, installation, userInfo));
  }

  @Get(':id')
  @ApiOperation({ summary: 'Read an installation, with its user’s attributes' })
  @ApiUserHash()
  @ApiOkResponse({ type: InstallationResponse })
  async read(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @UserHash() userHash: string | null,
  ): Promise<InstallationResponse> {
    const { appId } = caller;
    const [found] = await this.installations.find(appId, [id]);
    if (!found) throw unknownInstallation();
    await this.#checkReader(caller, found.userId, userHash);
    return showInstallation(appId, found, found.userInfo);
  }

  @Delete(':id')
  @ApiOperation({ summary: 'Remove an installation; it receives no more messages' })
  @ApiOkResponse({ type: CountResponse })
  async remove(@CurrentCaller() { appId }: Caller, @Param('id') id: string): Promise<CountResponse> {
    const count = isUuid(id) ? await this.installations.remove(appId, id) : 0;
    if (count === 0) throw unknownInstallation();
    return { count };
  }

  /**
   * @returns true if the user is proved: by the hash, or by the backend that registers for them
   * @throws DomainError UNAUTHORIZED for the body of another application, or a user that is not proved; FORBIDDEN for a
   * protected attribute among its fields
   */
  async #check({ appId, scopes }: Caller, request: RegistrationRequest, userHash: string | null): Promise<boolean> {
    if (request.appId !== undefined && request.appId !== appId) throw unauthorized();
    const isShown = await this.identity.verify(appId, request.userId, userHash);
    const isProved = isShown || covers(scopes, 'server');
    if (!isProved) await this.identity.checkUnprotected(appId, request.names);
    return isProved;
  }

  /** @throws DomainError UNAUTHORIZED if the device does not prove the user although it has to */
  async #checkReader({ appId, scopes }: Caller, userId: string, userHash: string | null): Promise<void> {
    if (!covers(scopes, 'read')) await this.identity.verify(appId, userId, userHash);
  }
}
