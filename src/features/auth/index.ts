export { AuthProvider, useAuth } from './auth-provider.tsx'
export { PasswordFields } from './password-fields.tsx'
export { verifySession } from './queries.ts'
export { RequireUser } from './require-user.tsx'
export { useSignOut } from './use-sign-out.ts'

/** The sign-in page comes when it is first opened. */
export const loadAuthPage = () => import('./auth-page.tsx')
