import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  CREATED_TOKEN_SCHEMA,
  NEW_TOKEN_SCHEMA,
  type NewTokenResponse,
  readNewToken,
  TOKEN_SCHEMA,
  type TokenResponse,
} from '@postrider/contracts';
import { OperatorOnly } from '../auth/route-access.decorator';
import { Tokens } from './tokens.service';

/** Access tokens of applications (operations, Admin API). */
@ApiTags('Admin')
@OperatorOnly()
@Controller('api/admin/apps/:id/tokens')
export class TokensController {
  constructor(private readonly tokens: Tokens) {}

  @Post()
  @ApiOperation({ summary: 'Make a token; it is shown this once' })
  @ApiBody({ schema: NEW_TOKEN_SCHEMA })
  @ApiCreatedResponse({ schema: CREATED_TOKEN_SCHEMA })
  async create(@Param('id') id: string, @Body() body: unknown): Promise<NewTokenResponse> {
    return this.tokens.create(id, readNewToken(body));
  }

  @Get()
  @ApiOperation({ summary: "List an application's tokens" })
  @ApiOkResponse({ schema: { type: 'array', items: TOKEN_SCHEMA } })
  async list(@Param('id') id: string): Promise<TokenResponse[]> {
    return this.tokens.list(id);
  }

  @Delete(':tokenId')
  @ApiOperation({ summary: 'Revoke a token' })
  @ApiOkResponse({ schema: { type: 'object', properties: { id: { type: 'string' } } } })
  async revoke(@Param('id') id: string, @Param('tokenId') tokenId: string): Promise<{ id: string }> {
    await this.tokens.revoke(id, tokenId);
    return { id: tokenId };
  }
}
