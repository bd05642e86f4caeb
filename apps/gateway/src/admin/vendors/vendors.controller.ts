import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Post, Put, Req } from '@nestjs/common';
import {
  ApiBody,
  ApiConflictResponse,
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import {
  ApnsCredentialsRequest,
  FcmCredentialsRequest,
  HmsCredentialsRequest,
  HttpSmsCredentialsRequest,
  KavenegarCredentialsRequest,
  TwilioCredentialsRequest,
  VendorCheckResponse,
  VendorResponse,
  WebPushCredentialsRequest,
} from '@postrider/contracts';
import { CONFIG, type Config } from '@postrider/platform';
import type { FastifyRequest } from 'fastify';
import { OperatorOnly } from '../../auth/endpoint-access.decorator';
import { publicAddress } from '../../auth/public-address';
import { VENDOR_IN_PATH } from '../vendor-in-path';
import { Vendors } from './vendors.service';

const CREDENTIALS = [
  FcmCredentialsRequest,
  ApnsCredentialsRequest,
  HmsCredentialsRequest,
  WebPushCredentialsRequest,
  TwilioCredentialsRequest,
  KavenegarCredentialsRequest,
  HttpSmsCredentialsRequest,
];
const ANY_CREDENTIALS = {
  title: 'Vendor credentials',
  description: 'The credentials of this vendor; unknown fields are ignored',
  anyOf: CREDENTIALS.map((type) => ({ $ref: getSchemaPath(type) })),
};
const PRIVATE_KEY = '-----BEGIN PRIVATE KEY-----\nMIGTAgEAMBMGByqGSM49\n-----END PRIVATE KEY-----\n';
const CREDENTIAL_EXAMPLES = {
  fcm: {
    value: {
      serviceAccount: {
        project_id: 'shop-7f2a1',
        client_email: 'push@shop-7f2a1.iam.gserviceaccount.com',
        private_key: PRIVATE_KEY,
        token_uri: 'https://oauth2.googleapis.com/token',
      },
    },
  },
  apns: {
    value: {
      keyId: 'ABC123DEFG',
      teamId: 'DEF123GHIJ',
      privateKey: PRIVATE_KEY,
      topic: 'com.example.app',
      environment: 'production',
    },
  },
  hms: { value: { appId: '100123456', clientSecret: 'a-secret-of-the-console' } },
  webpush: { value: { subject: 'mailto:ops@shop.example' } },
  twilio: {
    value: {
      provider: 'twilio',
      accountSid: 'AC00000000000000000000000000000000',
      authToken: '00000000000000000000000000000000',
      from: '+15005550006',
    },
  },
  kavenegar: {
    value: { provider: 'kavenegar', apiKey: 'a-key-of-the-account', sender: '10004346', onUnknown: 'resend' },
  },
  http: {
    value: {
      provider: 'http',
      endpoint: 'https://sms.example.com/send',
      body: '{"to":"{{ to }}","text":"{{ text }}"}',
    },
  },
};

/** Vendor credentials of applications. */
@ApiTags('Admin')
@OperatorOnly()
@Controller('api/admin/apps/:id/vendors')
export class VendorsController {
  constructor(
    private readonly vendors: Vendors,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Get()
  @ApiOperation({ summary: 'List the vendors that an application has credentials for' })
  @ApiOkResponse({ type: [VendorResponse] })
  async list(@Param('id') id: string): Promise<VendorResponse[]> {
    return this.vendors.list(id);
  }

  @Put(':vendor')
  @ApiOperation({ summary: "Store an application's credentials for a vendor" })
  @ApiParam(VENDOR_IN_PATH)
  @ApiExtraModels(...CREDENTIALS)
  @ApiBody({ schema: ANY_CREDENTIALS, examples: CREDENTIAL_EXAMPLES })
  @ApiOkResponse({ type: VendorResponse })
  @ApiConflictResponse({
    description: 'the application is being removed, or the VAPID pair that is to be kept cannot be decrypted',
  })
  async put(
    @Param('id') id: string,
    @Param('vendor') vendor: string,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
  ): Promise<VendorResponse> {
    return this.vendors.put(id, vendor, body, publicAddress(this.config, request));
  }

  @Delete(':vendor')
  @ApiOperation({ summary: "Delete an application's credentials for a vendor" })
  @ApiParam(VENDOR_IN_PATH)
  @ApiOkResponse({ schema: { type: 'object', properties: { vendor: { type: 'string' } } } })
  async remove(@Param('id') id: string, @Param('vendor') vendor: string): Promise<{ vendor: string }> {
    await this.vendors.remove(id, vendor);
    return { vendor };
  }

  @Post(':vendor/check')
  @HttpCode(200)
  @ApiOperation({ summary: 'Ask the vendor if the stored credentials work' })
  @ApiParam(VENDOR_IN_PATH)
  @ApiOkResponse({ type: VendorCheckResponse })
  async check(@Param('id') id: string, @Param('vendor') vendor: string): Promise<VendorCheckResponse> {
    return this.vendors.check(id, vendor);
  }
}
