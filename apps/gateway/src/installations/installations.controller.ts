import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query, Req } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import {
  COUNT_SCHEMA,
  type CountResponse,
  DeferredLinkRequest,
  DEVICE_TOKEN_SCHEMA,
  INSTALLATION_SCHEMA,
  type InstallationResponse,
  readDeviceTokenRequest,
  readInstallationFilter,
  readRegistration,
  REGISTRATION_SCHEMA,
  type RegistrationRequest,
} from '@postrider/contracts';
import { covers } from '@postrider/domain';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../auth/caller';
import { CurrentCaller } from '../auth/current-caller.decorator';
import { RequireScope } from '../auth/route-access.decorator';
import { unauthorized } from '../auth/unauthorized';
import { HandOverLink } from '../trackers/hand-over-link.service';
import { FindInstallations } from './find-installations.service';
import { isUuid, unknownInstallation } from './installation-id';
import { PageStart } from './page-start.service';
import { RegisterDevice } from './register-device.service';
import { RemoveInstallation } from './remove-installation.service';
import { showInstallation } from './show-installation';
import { ApiUserHash, UserHash } from './user-hash';
import { UserIdentity } from './user-identity.service';

/** Registration of devices (device-protocol, Registration). */
@ApiTags('Installations')
@RequireScope('devices')
@Controller('api/installations')
export class InstallationsController {
  constructor(
    private readonly registerDevice: RegisterDevice,
    private readonly findInstallations: FindInstallations,
    private readonly removeInstallation: RemoveInstallation,
    private readonly identity: UserIdentity,
    private readonly handOverLink: HandOverLink,
    private readonly pageStart: PageStart,
  ) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({ summary: 'Register a device' })
  @ApiUserHash()
  @ApiBody({ schema: REGISTRATION_SCHEMA })
  @ApiOkResponse({ schema: INSTALLATION_SCHEMA })
  async register(
    @CurrentCaller() caller: Caller,
    @Req() http: FastifyRequest,
    @Body() body: unknown,
    @UserHash() userHash: string | null,
  ): Promise<InstallationResponse> {
    const { appId } = caller;
    const request = readRegistration(body);
    const isProved = await this.#check(caller, request, userHash);
    const pageId = this.pageStart.installationIdOf(appId, request, http.raw);
    const { isNew, ...installation } = await this.registerDevice.register(appId, request, isProved, pageId);
    const link = isNew ? await this.handOverLink.take(appId, installation, request, http) : null;
    return { ...showInstallation(appId, installation), ...(link === null ? {} : { deferredDeepLink: link }) };
  }

  @Post('deferredDeepLink')
  @HttpCode(200)
  @ApiOperation({ summary: 'Report whether the app opened the deferred deep link that it was handed' })
  @ApiOkResponse({ schema: COUNT_SCHEMA })
  async decideDeferredLink(
    @CurrentCaller() { appId }: Caller,
    @Body() body: DeferredLinkRequest,
  ): Promise<CountResponse> {
    const { installationId, opened } = body;
    await this.handOverLink.decide(appId, installationId, opened);
    return { count: 1 };
  }

  @Post('updateDeviceToken')
  @HttpCode(200)
  @ApiOperation({ summary: "Change a device's vendor token" })
  @ApiUserHash()
  @ApiBody({ schema: DEVICE_TOKEN_SCHEMA })
  @ApiOkResponse({ schema: INSTALLATION_SCHEMA })
  async updateDeviceToken(
    @CurrentCaller() { appId, scopes }: Caller,
    @Body() body: unknown,
    @UserHash() userHash: string | null,
  ): Promise<InstallationResponse> {
    const request = readDeviceTokenRequest(body);
    if (!isUuid(request.installationId)) throw unknownInstallation();
    const isProved = covers(scopes, 'server') || (await this.identity.verify(appId, request.userId, userHash));
    return showInstallation(appId, await this.registerDevice.changeToken(appId, request, isProved));
  }

  @Put(':id')
  @ApiOperation({ summary: "Replace an installation's state" })
  @ApiUserHash()
  @ApiBody({ schema: REGISTRATION_SCHEMA })
  @ApiOkResponse({ schema: INSTALLATION_SCHEMA })
  async replace(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() body: unknown,
    @UserHash() userHash: string | null,
  ): Promise<InstallationResponse> {
    const { appId } = caller;
    const request = readRegistration(body);
    const isProved = await this.#check(caller, request, userHash);
    if (!isUuid(id)) throw unknownInstallation();
    return showInstallation(appId, await this.registerDevice.replace(appId, id, request, isProved));
  }

  @Get()
  @ApiOperation({ summary: 'Read several installations' })
  @ApiQuery({
    name: 'filter',
    description: 'JSON: which installations, at most 100',
    example: '{"where":{"id":{"inq":["01932c5e-7f7a-7c3e-8a3b-0f6d2a1b4c5d"]}}}',
    schema: { type: 'string', minLength: 2 },
  })
  @ApiUserHash()
  @ApiOkResponse({ schema: { type: 'array', items: INSTALLATION_SCHEMA } })
  async list(
    @CurrentCaller() caller: Caller,
    @Query('filter') filter: unknown,
    @UserHash() userHash: string | null,
  ): Promise<InstallationResponse[]> {
    const { appId } = caller;
    const found = await this.findInstallations.byIds(appId, readInstallationFilter(filter));
    for (const { userId } of found) await this.#checkReader(caller, userId, userHash);
    return found.map(({ userInfo, ...installation }) => showInstallation(appId, installation, userInfo));
  }

  @Get(':id')
  @ApiOperation({ summary: 'Read an installation, with its user’s attributes' })
  @ApiUserHash()
  @ApiOkResponse({ schema: INSTALLATION_SCHEMA })
  async read(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @UserHash() userHash: string | null,
  ): Promise<InstallationResponse> {
    const { appId } = caller;
    const [found] = await this.findInstallations.byIds(appId, [id]);
    if (!found) throw unknownInstallation();
    await this.#checkReader(caller, found.userId, userHash);
    return showInstallation(appId, found, found.userInfo);
  }

  @Delete(':id')
  @ApiOperation({ summary: 'Remove an installation: it gets nothing more' })
  @ApiOkResponse({ schema: COUNT_SCHEMA })
  async remove(@CurrentCaller() { appId }: Caller, @Param('id') id: string): Promise<CountResponse> {
    const count = isUuid(id) ? await this.removeInstallation.remove(appId, id) : 0;
    if (count === 0) throw unknownInstallation();
    return { count };
  }

  /**
   * @returns whether the user is proved: by its hash, or by the backend that registers for it
   * @throws DomainError UNAUTHORIZED for the body of another application, or a user that is not proved; FORBIDDEN for a
   *   protected attribute among its fields
   */
  async #check({ appId, scopes }: Caller, request: RegistrationRequest, userHash: string | null): Promise<boolean> {
    if (request.appId !== null && request.appId !== appId) throw unauthorized();
    const isShown = await this.identity.verify(appId, request.userId, userHash);
    const isProved = isShown || covers(scopes, 'server');
    if (!isProved) await this.identity.checkUnprotected(appId, request.names);
    return isProved;
  }

  /** @throws DomainError UNAUTHORIZED for a device that does not prove the user, where it has to */
  async #checkReader({ appId, scopes }: Caller, userId: string, userHash: string | null): Promise<void> {
    if (!covers(scopes, 'read')) await this.identity.verify(appId, userId, userHash);
  }
}
