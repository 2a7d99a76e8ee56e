import { App } from '@supabase/lite'
import { validSeconds } from '../mail/auth-mailer.ts'
import type { Mailbox } from '../mail/mailbox.ts'
import type { Settings } from '../settings.ts'
import type { RequestConnection } from './connections.ts'
import type { Keys } from './keys.ts'

type Parts = {
  connection: RequestConnection
  keys: Keys
  settings: Pick<Settings, 'publicUrl' | 'confirmEmail'>
  mailbox: Omit<Mailbox, 'close'>
}

/** The library that speaks Supabase's protocol, set up as we use it. */
export function libraryApp({ connection, keys, settings, mailbox }: Parts): App {
  return new App({
    connection,
    api: { schemas: ['public'], max_rows: 1000 },
    auth: {
      enabled: true,
      jwt_secret: keys.jwtSecret,
      publishable_key: keys.publishableKey,
      secret_key: keys.secretKey,
      site_url: settings.publicUrl,
      minimum_password_length: 6,
      email: {
        enable_confirmations: settings.confirmEmail,
        // The token in a mail's link is a hash of the address and this code. Nobody types the code, so it is long
        // enough not to be guessed.
        otp_length: 32,
        otp_expiry: validSeconds,
        // The user has typed the password, so only the new address must be confirmed. The library would otherwise
        // ask at the old one.
        double_confirm_changes: false,
      },
    },
    storage: { enabled: false },
    options: {
      drivers: { email: mailbox },
      server: { disableStudio: true, disableFallback: true, admin: false },
    },
  })
}
