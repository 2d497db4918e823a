/** Changing a password and blocking a user revoke the API tokens; users choose when they change their own password. */
export const revocationFeature = 'token-revocation'

/** Administrators see the API tokens of users. */
export const userTokensFeature = 'user-tokens'
