/** The second factor of sign-in: time-based codes of an authenticator app. */
export const totpFeature = 'totp'
