import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  VENDOR_CHECK_SCHEMA,
  VENDOR_CREDENTIALS_SCHEMA,
  VENDOR_SCHEMA,
  type VendorCheckResponse,
  type VendorResponse,
} from '@postrider/contracts';
import { OperatorOnly } from '../auth/route-access.decorator';
import { Vendors } from './vendors.service';

/** Vendor credentials of applications (operations, Admin API). */
@ApiTags('Admin')
@OperatorOnly()
@Controller('api/admin/apps/:id/vendors')
export class VendorsController {
  constructor(private readonly vendors: Vendors) {}

  @Get()
  @ApiOperation({ summary: 'List the vendors that an application has credentials for' })
  @ApiOkResponse({ schema: { type: 'array', items: VENDOR_SCHEMA } })
  async list(@Param('id') id: string): Promise<VendorResponse[]> {
    return this.vendors.list(id);
  }

  @Put(':vendor')
  @ApiOperation({ summary: "Store an application's credentials for a vendor" })
  @ApiBody({ schema: VENDOR_CREDENTIALS_SCHEMA })
  @ApiOkResponse({ schema: VENDOR_SCHEMA })
  async put(@Param('id') id: string, @Param('vendor') vendor: string, @Body() body: unknown): Promise<VendorResponse> {
    return this.vendors.put(id, vendor, body);
  }

  @Delete(':vendor')
  @ApiOperation({ summary: "Forget an application's credentials for a vendor" })
  @ApiOkResponse({ schema: { type: 'object', properties: { vendor: { type: 'string' } } } })
  async remove(@Param('id') id: string, @Param('vendor') vendor: string): Promise<{ vendor: string }> {
    await this.vendors.remove(id, vendor);
    return { vendor };
  }

  @Post(':vendor/check')
  @HttpCode(200)
  @ApiOperation({ summary: 'Ask the vendor whether the stored credentials work' })
  @ApiOkResponse({ schema: VENDOR_CHECK_SCHEMA })
  async check(@Param('id') id: string, @Param('vendor') vendor: string): Promise<VendorCheckResponse> {
    return this.vendors.check(id, vendor);
  }
}
