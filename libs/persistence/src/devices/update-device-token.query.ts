import type { PushVendor } from '@postrider/domain';
import { type Executor, rows } from '../database/executor';
import { type Installation, INSTALLATION_COLUMNS } from './installation';
import { proofWith, userProof } from './user-proof';

/** The vendor token of one installation of one user. A null token means that the device has none now. */
export interface DeviceTokenChange {
  installationId: string;
  userId: string;
  /** Null keeps what the installation has. */
  pushType: PushVendor | null;
  token: string | null;
  tokenStatus: string | null;
  /** Whether the user is proved, by its hash or by the application's backend. */
  isProved: boolean;
}

/**
 * Gives an installation another vendor token.
 *
 * @returns null when the user has no such installation
 * @throws a unique violation when another installation holds the token; see `evictTokenHolder`
 */
export async function updateDeviceToken(
  executor: Executor,
  appId: string,
  { installationId, userId, pushType, token, tokenStatus, isProved }: DeviceTokenChange,
  at: Date,
): Promise<Installation | null> {
  const changed = await rows<Installation>(
    executor,
    `UPDATE installations SET token = $4, push_type = coalesce($5, push_type), token_status = $6,
       user_proof = ${proofWith('$4::text', '$8::smallint')},
       token_registered_at = CASE WHEN $4::text IS NOT NULL THEN $7::timestamptz END, updated_at = $7
     WHERE app_id = $1 AND installation_id = $2 AND user_id = $3
     RETURNING ${INSTALLATION_COLUMNS}`,
    [appId, installationId, userId, token, pushType, tokenStatus, at, userProof(isProved)],
  );
  return changed[0] ?? null;
}
