import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A registration keeps its device in the channels that the device's connection has subscribed to. It locks the device
 * first; the connection may have joined or left a channel between the beginning of the statement and that lock. A
 * volatile function sees what was committed until it is called, where the statement itself does not.
 */
export class SubscribedChannels1795737600000 implements MigrationInterface {
  name = 'SubscribedChannels1795737600000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE FUNCTION subscribed_channels(for_app text, for_device bigint, for_user text, at timestamptz) RETURNS text[]
      LANGUAGE plpgsql VOLATILE AS $$
      BEGIN
        RETURN (SELECT s.channels FROM connection_sessions s
          WHERE s.app_id = for_app AND s.id = for_device AND s.user_id = for_user
            AND (s.expires_at IS NULL OR s.expires_at > at));
      END $$`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP FUNCTION subscribed_channels(text, bigint, text, timestamptz)`);
  }
}
