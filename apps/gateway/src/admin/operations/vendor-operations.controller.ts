import { Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import {
  AppliedQuarantineResponse,
  ReleasedQuarantineResponse,
  RouteRetryResponse,
  VendorsHealthResponse,
} from '@postrider/contracts';
import type { CredentialVendor } from '@postrider/domain';
import { OperatorOnly } from '../../auth/endpoint-access.decorator';
import { Quarantine } from './quarantine.service';
import { RouteRecovery } from './route-recovery.service';
import { VendorHealths } from './vendor-health.service';
import { Applications } from '../applications/applications.service';
import { VENDOR_IN_PATH, vendorNamed } from '../vendor-in-path';

/** The health of applications' vendors, and the operator's decisions about it. */
@ApiTags('Operations')
@OperatorOnly()
@Controller('api/admin/apps/:id/vendors')
export class VendorOperationsController {
  constructor(
    private readonly applications: Applications,
    private readonly health: VendorHealths,
    private readonly quarantine: Quarantine,
    private readonly recovery: RouteRecovery,
  ) {}

  @Get('health')
  @ApiOperation({ summary: "Read the health of an application's vendors: held routes, refusals and quarantines" })
  @ApiOkResponse({ type: VendorsHealthResponse })
  async read(@Param('id') appId: string): Promise<VendorsHealthResponse> {
    await this.applications.check(appId);
    return { vendors: await this.health.read(appId) };
  }

  @Post(':vendor/quarantine/apply')
  @HttpCode(200)
  @ApiOperation({ summary: 'Switch off the tokens in quarantine, except those that devices have replaced' })
  @ApiParam(VENDOR_IN_PATH)
  @ApiOkResponse({ type: AppliedQuarantineResponse })
  async apply(@Param('id') appId: string, @Param('vendor') name: string): Promise<AppliedQuarantineResponse> {
    return this.quarantine.apply(await this.#keyOf(appId, name));
  }

  @Post(':vendor/quarantine/release')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Release the tokens in quarantine: they stay in use, and what the vendor reported about them is discarded',
  })
  @ApiParam(VENDOR_IN_PATH)
  @ApiOkResponse({ type: ReleasedQuarantineResponse })
  async release(@Param('id') appId: string, @Param('vendor') name: string): Promise<ReleasedQuarantineResponse> {
    return this.quarantine.release(await this.#keyOf(appId, name));
  }

  @Post(':vendor/breaker/reset')
  @HttpCode(200)
  @ApiOperation({ summary: 'Retry a held vendor at once' })
  @ApiParam(VENDOR_IN_PATH)
  @ApiOkResponse({ type: RouteRetryResponse })
  async reset(@Param('id') appId: string, @Param('vendor') name: string): Promise<RouteRetryResponse> {
    const key = await this.#keyOf(appId, name);
    return { pages: await this.recovery.retryNow(key.appId, key.vendor) };
  }

  async #keyOf(appId: string, name: string): Promise<{ appId: string; vendor: CredentialVendor }> {
    const vendor = vendorNamed(name);
    await this.applications.check(appId);
    return { appId, vendor };
  }
}
