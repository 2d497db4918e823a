/** A changed password and blocking revoke a user's API tokens; users who change their own password may keep them. */
export const revocationFeature = 'token-revocation'

/** Administrators see the API tokens of users. */
export const userTokensFeature = 'user-tokens'
