/** What of the API tokens a server can do only where its settings announce it. */

/** A new password, and blocking, revokes the tokens; with one's own password one may choose. */
export const revocationFeature = 'token-revocation'

export const userTokensFeature = 'user-tokens'
