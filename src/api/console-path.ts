const basePath = globalThis.document?.documentElement.dataset['basePath'] ?? ''

/**
 * The path of the console. Behind a proxy it may be below another path, which the server writes into the document
 * (server/http/base-path.ts); who asks that server itself is not.
 */
export const consolePath = globalThis.location?.pathname.startsWith(`${basePath}/ui`) ? `${basePath}/ui` : '/ui'
