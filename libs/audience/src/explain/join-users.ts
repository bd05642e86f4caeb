/** Joins an installation's user as alias `u`; he may not be known. */
export const JOIN_USERS = 'LEFT JOIN users u ON u.app_id = i.app_id AND u.user_id = i.user_id';
