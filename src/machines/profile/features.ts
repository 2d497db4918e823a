/** The second factor of sign-in: codes of an app. */
export const totpFeature = 'totp'
