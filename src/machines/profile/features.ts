/** The second factor of sign-in: time-based codes of an authenticator app. */
export const totpFeature = 'totp'

/** Signing in with a passkey; only where the browser allows it, over HTTPS or on localhost. */
export const passkeyFeature = 'passkeys'

/** Administrators see and remove the passkeys of users. */
export const userPasskeysFeature = 'user-passkeys'
