import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import {
  ApiBody,
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { NewTokenRequest, NewTokenResponse, TokenResponse } from '@postrider/contracts';
import { OperatorOnly } from '../../auth/endpoint-access.decorator';
import { Tokens } from './tokens.service';

const NEW_TOKEN = { reporting: { value: { name: 'reporting', scopes: ['read'] } } };

/** Access tokens of applications. */
@ApiTags('Admin')
@OperatorOnly()
@Controller('api/admin/apps/:id/tokens')
export class TokensController {
  constructor(private readonly tokens: Tokens) {}

  @Post()
  @ApiOperation({ summary: 'Create a token; it is shown once' })
  @ApiBody({ type: NewTokenRequest, examples: NEW_TOKEN })
  @ApiCreatedResponse({ type: NewTokenResponse })
  @ApiConflictResponse({ description: 'the application is being removed' })
  async create(@Param('id') id: string, @Body() body: NewTokenRequest): Promise<NewTokenResponse> {
    return this.tokens.create(id, body);
  }

  @Get()
  @ApiOperation({ summary: "List an application's tokens" })
  @ApiOkResponse({ type: [TokenResponse] })
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
