import { describe, expect, test } from 'vitest'
import {
  linkProblem,
  mailAddressSchema,
  newPasswordSchema,
  readMailLink,
  returnPath,
  signInMessage,
  signInSchema,
  signUpMessage,
  signUpSchema,
} from './auth.ts'

type Result = { success: boolean; error?: { issues: { path: PropertyKey[]; message: string }[] } }

function messages({ error }: Result) {
  return error?.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}`) ?? []
}

describe('sign-up', () => {
  const email = 'ada@example.com'
  test.each([
    ['secret', 'secreT', ['confirmPassword: Passwords do not match.']],
    // Compared first: their length is not told as long as they differ.
    ['abc', 'abd', ['confirmPassword: Passwords do not match.']],
    ['abcde', 'abcde', ['password: Password must be at least 6 characters long.']],
    ['', '', ['password: Password must be at least 6 characters long.']],
    ['      ', '      ', ['password: Password can’t be only spaces.']],
    ['x'.repeat(73), 'x'.repeat(73), ['password: Password can have at most 72 characters.']],
    ['x'.repeat(1000), 'x'.repeat(1000), ['password: Password can have at most 72 characters.']],
    ['secret', 'secret', []],
    [' pass word ', ' pass word ', []],
    ['x'.repeat(72), 'x'.repeat(72), []],
  ])('with the passwords %j and %j', (password, confirmPassword, expected) => {
    expect(messages(signUpSchema.safeParse({ email, password, confirmPassword }))).toEqual(expected)
    expect(messages(newPasswordSchema.safeParse({ password, confirmPassword }))).toEqual(expected)
  })

  test('trims the address and never the password', () => {
    const fields = { email: ' ada@example.com ', password: ' secret ', confirmPassword: ' secret ' }
    expect(signUpSchema.parse(fields)).toMatchObject({ email, password: ' secret ' })
  })
})

describe('an email address', () => {
  test.each([
    ['', 'Enter your email address.'],
    ['  ', 'Enter your email address.'],
    ['ada', 'Enter a valid email address, such as ada@example.com.'],
    ['a b@example.com', 'Enter a valid email address, such as ada@example.com.'],
    [`${'x'.repeat(300)}@example.com`, 'This email address is too long.'],
  ])('%j is refused', (email, message) => {
    const [first] = messages(mailAddressSchema.safeParse({ email }))
    expect(first).toBe(`email: ${message}`)
    expect(messages(signInSchema.safeParse({ email, password: 'x' }))[0]).toBe(first)
  })

  test('any password signs in, but not none', () => {
    const email = 'ada@example.com'
    expect(messages(signInSchema.safeParse({ email, password: '' }))).toEqual([
      'password: Enter your password.',
    ])
    expect(signInSchema.safeParse({ email, password: ' ' }).success).toBe(true)
  })
})

test('the error catalogue of sign-in and sign-up', () => {
  expect(signInMessage('AuthApiError: Invalid login credentials')).toBe(
    'Invalid email or password. Please check your credentials and try again.',
  )
  expect(signInMessage('Email not confirmed')).toBe(
    'Please check your email and click the confirmation link before signing in.',
  )
  expect(signInMessage('Something else')).toBe('Something else')
  expect(signInMessage('')).toBe('An unexpected error occurred. Please try again.')
  expect(signUpMessage('User already registered')).toBe(
    'An account with this email already exists. Please sign in instead.',
  )
  expect(signUpMessage('Signups not allowed')).toBe('Signups not allowed')
  expect(signUpMessage('')).toBe('An unexpected error occurred. Please try again.')
})

test.each([
  ['/app/contacts', '/app/contacts'],
  ['/app/deals?view=board&stage=a%20b#top', '/app/deals?view=board&stage=a%20b#top'],
  ['/app/', '/app/'],
  ['/app', null],
  ['/', null],
  ['/auth', null],
  ['//evil.example/app/', null],
  ['https://evil.example/app/', null],
  ['/app/../auth', null],
  ['/app/\\evil.example', null],
  ['/\\evil.example/app/', null],
  ['javascript:alert(1)//app/', null],
  ['', null],
  [null, null],
])('the address %j is kept through sign-in as %j', (wanted, kept) => {
  expect(returnPath(wanted)).toBe(kept)
})

test('what a mail’s link brought back', () => {
  expect(linkProblem(new URLSearchParams('access_token=x&type=signup'))).toBeNull()
  expect(linkProblem(new URLSearchParams('error=access_denied&error_code=otp_expired'))).toBe(
    'This link is no longer valid. It was used, replaced by a newer email or has expired.',
  )
  expect(linkProblem(new URLSearchParams('error=x&error_description=Too+many+attempts.'))).toBe(
    'Too many attempts.',
  )
  expect(linkProblem(new URLSearchParams('error=x'))).toBe('This link could not be used.')
  for (const unreadable of ['token_hash=&type=signup', 'token_hash=x&type=phone', 'token_hash=x']) {
    expect(linkProblem(new URLSearchParams(unreadable))).toBe('This link could not be used.')
    expect(readMailLink(new URLSearchParams(unreadable))).toBeNull()
  }
  const good = new URLSearchParams('token_hash=a%2Bb&type=recovery&next=x')
  expect(linkProblem(good)).toBeNull()
  expect(readMailLink(good)).toEqual({ token_hash: 'a+b', type: 'recovery' })
  expect(readMailLink(new URLSearchParams('tab=signup'))).toBeNull()
})
