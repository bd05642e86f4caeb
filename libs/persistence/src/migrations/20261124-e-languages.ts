import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The language in which a message was sent to a device, in rows and packs. Nullable, without a default: no row is
 * rewritten. Processes of the former version leave it empty, which means the default language that they send.
 */
export class Languages1795478440000 implements MigrationInterface {
  name = 'Languages1795478440000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE deliveries ADD COLUMN IF NOT EXISTS language text`);
    await queryRunner.query(`ALTER TABLE delivery_packs ADD COLUMN IF NOT EXISTS language text`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE delivery_packs DROP COLUMN language`);
    await queryRunner.query(`ALTER TABLE deliveries DROP COLUMN language`);
  }
}
