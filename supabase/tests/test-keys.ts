export const jwtSecret = 'a secret that only the tests know, 32 letters and more'

/** Of every backend that a test starts. */
export const keys = {
  publishableKey: 'sb_publishable_test',
  secretKey: 'sb_secret_test',
  jwtSecret,
}
