import { Module } from '@nestjs/common';
import { Imports, StreamImports } from './imports.service';
import { ImportsController } from './imports.controller';

/** Devices from files. */
@Module({ controllers: [ImportsController], providers: [Imports, StreamImports] })
export class ImportsModule {}
