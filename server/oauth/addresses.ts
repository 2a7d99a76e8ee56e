type Origin = {
  /** Where people reach the server; the name of the authorization server, too. */
  publicUrl: string
}

/** Where access tokens of OAuth are good for something: nowhere else. */
export function resourceOf({ publicUrl }: Origin): string {
  return `${publicUrl}/mcp`
}

/** Where a program finds out how to get a token: named in every 401 of `/mcp`. */
export function resourceMetadataOf({ publicUrl }: Origin): string {
  return `${publicUrl}/.well-known/oauth-protected-resource/mcp`
}
