import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query, Req } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import {
  COUNT_SCHEMA,
  type CountResponse,
  DEFERRED_DECISION_SCHEMA,
  DEVICE_TOKEN_SCHEMA,
  INSTALLATION_SCHEMA,
  type InstallationResponse,
  readDeferredLinkDecision,
  readDeviceTokenRequest,
  readInstallationFilter,
  readRegistration,
  REGISTRATION_SCHEMA,
  type RegistrationRequest,
} from '@postrider/contracts';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../auth/caller';
import { CurrentCaller } from '../auth/current-caller.decorator';
import { RequireScope } from '../auth/route-access.decorator';
import { unauthorized } from '../auth/unauthorized';
import { HandOverLink } from '../trackers/hand-over-link.service';
import { AnswersInOrder, registrantOf } from './answers-in-order.service';
import { FindInstallations } from './find-installations.service';
import { isUuid, unknownInstallation } from './installation-id';
import { RegisterDevice } from './register-device.service';
import { RemoveInstallation } from './remove-installation.service';
import { showInstallation } from './show-installation';
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
    private readonly answers: AnswersInOrder,
  ) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({ summary: 'Register a device' })
  @ApiBody({ schema: REGISTRATION_SCHEMA })
  @ApiOkResponse({ schema: INSTALLATION_SCHEMA })
  async register(
    @CurrentCaller() { appId }: Caller,
    @Req() http: FastifyRequest,
    @Body() body: unknown,
  ): Promise<InstallationResponse> {
    const request = readRegistration(body);
    return this.answers.inOrder(appId, http, registrantOf(request), async () => {
      await this.#check(appId, request);
      const { isNew, ...installation } = await this.registerDevice.register(appId, request);
      const link = isNew ? await this.handOverLink.take(appId, installation, request, http) : null;
      return { ...showInstallation(appId, installation), ...(link === null ? {} : { deferredDeepLink: link }) };
    });
  }

  @Post('deferredDeepLink')
  @HttpCode(200)
  @ApiOperation({ summary: 'Report whether the app opened the deferred deep link that it was handed' })
  @ApiBody({ schema: DEFERRED_DECISION_SCHEMA })
  @ApiOkResponse({ schema: COUNT_SCHEMA })
  async decideDeferredLink(@CurrentCaller() { appId }: Caller, @Body() body: unknown): Promise<CountResponse> {
    const { installationId, opened } = readDeferredLinkDecision(body);
    await this.handOverLink.decide(appId, installationId, opened);
    return { count: 1 };
  }

  @Post('updateDeviceToken')
  @HttpCode(200)
  @ApiOperation({ summary: "Change a device's vendor token" })
  @ApiBody({ schema: DEVICE_TOKEN_SCHEMA })
  @ApiOkResponse({ schema: INSTALLATION_SCHEMA })
  async updateDeviceToken(@CurrentCaller() { appId }: Caller, @Body() body: unknown): Promise<InstallationResponse> {
    const request = readDeviceTokenRequest(body);
    if (!isUuid(request.installationId)) throw unknownInstallation();
    return showInstallation(appId, await this.registerDevice.changeToken(appId, request));
  }

  @Put(':id')
  @ApiOperation({ summary: "Replace an installation's state" })
  @ApiBody({ schema: REGISTRATION_SCHEMA })
  @ApiOkResponse({ schema: INSTALLATION_SCHEMA })
  async replace(
    @CurrentCaller() { appId }: Caller,
    @Req() http: FastifyRequest,
    @Param('id') id: string,
    @Body() body: unknown,
  ): Promise<InstallationResponse> {
    const request = readRegistration(body);
    return this.answers.inOrder(appId, http, null, async () => {
      await this.#check(appId, request);
      if (!isUuid(id)) throw unknownInstallation();
      return showInstallation(appId, await this.registerDevice.replace(appId, id, request));
    });
  }

  @Get()
  @ApiOperation({ summary: 'Read several installations' })
  @ApiQuery({ name: 'filter', example: '{"where":{"id":{"inq":["0193…"]}}}' })
  @ApiOkResponse({ schema: { type: 'array', items: INSTALLATION_SCHEMA } })
  async list(@CurrentCaller() { appId }: Caller, @Query('filter') filter: unknown): Promise<InstallationResponse[]> {
    const found = await this.findInstallations.byIds(appId, readInstallationFilter(filter));
    return found.map(({ userInfo, ...installation }) => showInstallation(appId, installation, userInfo));
  }

  @Get(':id')
  @ApiOperation({ summary: 'Read an installation, with its user’s attributes' })
  @ApiOkResponse({ schema: INSTALLATION_SCHEMA })
  async read(@CurrentCaller() { appId }: Caller, @Param('id') id: string): Promise<InstallationResponse> {
    const [found] = await this.findInstallations.byIds(appId, [id]);
    if (!found) throw unknownInstallation();
    return showInstallation(appId, found, found.userInfo);
  }

  @Delete(':id')
  @ApiOperation({ summary: 'Remove an installation: it gets nothing more' })
  @ApiOkResponse({ schema: COUNT_SCHEMA })
  async remove(@CurrentCaller() { appId }: Caller, @Param('id') id: string): Promise<CountResponse> {
    return { count: isUuid(id) ? await this.removeInstallation.remove(appId, id) : 0 };
  }

  /** @throws DomainError UNAUTHORIZED for the body of another application, or a user that is not proved */
  async #check(appId: string, request: RegistrationRequest): Promise<void> {
    if (request.appId !== null && request.appId !== appId) throw unauthorized();
    await this.identity.verify(appId, request.userId, request.userHash);
  }
}
