/** What the client library needs to speak for a user. */
const session = {
  access_token: 'token',
  refresh_token: 'token',
  token_type: 'bearer',
  expires_in: 3600,
  expires_at: 7_000_000_000,
  user: { id: 'u' },
}

/** For tests: the page has its settings and a session, until the answered function is called. */
export function beginSession(): () => void {
  const settings = document.createElement('script')
  settings.id = 'settings'
  settings.type = 'application/json'
  settings.textContent = JSON.stringify({ supabaseUrl: '', supabaseKey: 'key' })
  document.body.append(settings)
  localStorage.setItem('sb-localhost-auth-token', JSON.stringify(session))
  return () => {
    settings.remove()
    localStorage.clear()
  }
}
