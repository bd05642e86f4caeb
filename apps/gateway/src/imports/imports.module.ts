import { Module } from '@nestjs/common';
import { AcceptImport, StreamImports } from './accept-import.service';
import { ImportsController } from './imports.controller';
import { Imports } from './imports.service';

/** Devices from files. */
@Module({ controllers: [ImportsController], providers: [AcceptImport, Imports, StreamImports] })
export class ImportsModule {}
