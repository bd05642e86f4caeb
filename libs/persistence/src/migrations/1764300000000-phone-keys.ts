import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The keys of the digests of opted-out numbers, sealed, so that a change of `SECRET_KEY` loses no number. */
export class PhoneKeys1764300000000 implements MigrationInterface {
  name = 'PhoneKeys1764300000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE phone_keys (
      phone_key_id uuid PRIMARY KEY,
      sealed bytea NOT NULL,
      is_in_use boolean NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now()
    )`);
    // One key makes digests; the others recognise the digests that they made.
    await queryRunner.query(`CREATE UNIQUE INDEX phone_keys_in_use ON phone_keys (is_in_use) WHERE is_in_use`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE phone_keys`);
  }
}
