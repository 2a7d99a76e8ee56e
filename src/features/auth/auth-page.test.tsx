import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createQueryClient } from '#lib/query-client.ts'
import { AuthPage } from './auth-page.tsx'
import { AuthProvider } from './auth-provider.tsx'

type Emit = (event: string, session: { user: { id: string; email: string } } | null) => void
type Ended = 'begun' | 'noted' | 'void'

// What the service does, held still so that each answer can be given by hand.
const service = vi.hoisted(() => ({
  emit: (() => {}) as Emit,
  signIn: vi.fn<() => Promise<void>>(),
  signUp: vi.fn<() => Promise<boolean>>(),
  sendRecovery: vi.fn<() => Promise<void>>(),
  setPassword: vi.fn<() => Promise<void>>(),
  sendConfirmationAgain: vi.fn<(email: string) => Promise<number | null>>(),
  followMailLink: vi.fn<(link: object) => Promise<Ended>>(),
  readSession: () => new Promise(() => {}),
  verifySession: async () => {},
}))
const toasts = vi.hoisted(() => ({ showToast: vi.fn(), showError: vi.fn() }))

vi.mock('#ui/toast.tsx', () => toasts)
vi.mock('./queries.ts', () => ({
  ...service,
  watchSession: (onEvent: Emit) => {
    service.emit = onEvent
    return () => {}
  },
}))

const unexpected = 'An unexpected error occurred. Please try again.'
const created = 'Account created successfully! Please check your email for a confirmation link.'
const usedUp =
  'This link is no longer valid. It was used, replaced by a newer email or has expired.'
const ada = { user: { id: 'ada', email: 'ada@example.com' } }
const offline = () =>
  Object.assign(new Error('Failed to fetch'), { name: 'AuthRetryableFetchError', status: 0 })

let router: ReturnType<typeof createMemoryRouter>

async function open(path: string, session: typeof ada | null = null): Promise<void> {
  router = createMemoryRouter(
    [
      { path: '/auth', element: <AuthPage /> },
      { path: '/app/*', element: <h1>The app</h1> },
    ],
    { initialEntries: [path] },
  )
  const queryClient = createQueryClient({
    onSaved: () => {},
    onFailed: () => {},
    onSessionGone: () => {},
  })
  render(
    <MantineProvider>
      <QueryClientProvider client={queryClient}>
        <AuthProvider>
          <RouterProvider router={router} />
        </AuthProvider>
      </QueryClientProvider>
    </MantineProvider>,
  )
  await act(async () => service.emit('INITIAL_SESSION', session))
}

const button = (name: string) => screen.getByRole('button', { name })
const press = (name: string) => act(async () => button(name).click())
const alertText = () => screen.getByRole('alert').textContent
function type(label: string, value: string): void {
  fireEvent.change(screen.getByLabelText(label), { target: { value } })
}
const address = () =>
  router.state.location.pathname + router.state.location.search + router.state.location.hash

beforeEach(() => void vi.clearAllMocks())
afterEach(cleanup)

describe('the forms of /auth', () => {
  async function fillSignIn(): Promise<void> {
    await open('/auth')
    type('Email', 'ada@example.com')
    type('Password', 'secret-1')
  }
  async function fillSignUp(): Promise<void> {
    await open('/auth?tab=signup')
    type('Email', 'ada@example.com')
    type('Password', 'secret-1')
    type('Confirm Password', 'secret-1')
  }

  test('say what they do meanwhile', async () => {
    service.signIn.mockReturnValue(new Promise(() => {}))
    await fillSignIn()
    await press('Sign In')
    expect(button('Signing in...').getAttribute('aria-disabled')).toBe('true')
    await press('Signing in...')
    expect(service.signIn).toHaveBeenCalledOnce()
    cleanup()
    service.signUp.mockReturnValue(new Promise(() => {}))
    await fillSignUp()
    await press('Sign Up')
    expect(button('Creating account...')).toBeTruthy()
  })

  test.each([
    ['no network', offline(), 'The server can’t be reached. Check your connection.'],
    [
      'a server that is not ready',
      Object.assign(offline(), { message: '{}', status: 503 }),
      'The server is not ready yet. Wait a moment.',
    ],
  ])('with %s say the specified text, and the reason below', async (_what, error, reason) => {
    service.signIn.mockRejectedValue(error)
    await fillSignIn()
    await press('Sign In')
    expect(alertText()).toBe(unexpected + reason)
    cleanup()
    service.signUp.mockRejectedValue(error)
    await fillSignUp()
    await press('Sign Up')
    expect(alertText()).toBe(unexpected + reason)
    cleanup()
    service.sendRecovery.mockRejectedValue(error)
    await open('/auth?view=forgot')
    type('Email', 'ada@example.com')
    await press('Send the link')
    expect(alertText()).toBe(unexpected + reason)
    cleanup()
    service.setPassword.mockRejectedValue(error)
    await open('/auth')
    await act(async () => service.emit('PASSWORD_RECOVERY', ada))
    type('New Password', 'secret-1')
    type('Confirm Password', 'secret-1')
    await press('Set new password')
    expect(alertText()).toBe(unexpected + reason)
  })

  test('tell the rule of a new password before it is broken, and then as its error', async () => {
    await open('/auth?tab=signup')
    const password = screen.getByLabelText('Password')
    const about = () =>
      (password.getAttribute('aria-describedby') ?? '')
        .split(' ')
        .map((id) => document.getElementById(id)?.textContent ?? '')
        .join('')
    expect(about()).toBe('At least 6 characters')
    type('Email', 'ada@example.com')
    type('Password', 'short')
    type('Confirm Password', 'short')
    await press('Sign Up')
    expect(about()).toBe('Password must be at least 6 characters long.')
  })

  test('after a sign-up say that the mail may take a while, and send it again', async () => {
    service.signUp.mockResolvedValue(false)
    await fillSignUp()
    await press('Sign Up')
    const isSaid = () => {
      expect(screen.getByText(created)).toBeTruthy()
      expect(screen.getByText('The email may take a few minutes to arrive.')).toBeTruthy()
    }
    isSaid()
    service.sendConfirmationAgain.mockResolvedValueOnce(42)
    await press('Send again')
    // The form was cleared; the address is still known.
    expect(service.sendConfirmationAgain).toHaveBeenCalledWith('ada@example.com')
    expect(screen.getByText(/You can request another in 42 seconds\./)).toBeTruthy()
    isSaid()
    service.sendConfirmationAgain.mockRejectedValueOnce(offline())
    await press('Send again')
    expect(alertText()).toBe(`${unexpected}The server can’t be reached. Check your connection.`)
    isSaid()
    service.sendConfirmationAgain.mockResolvedValueOnce(null)
    await press('Send again')
    expect(
      screen.getByText(
        /If ada@example\.com still needs to be confirmed, a new email is on its way\./,
      ),
    ).toBeTruthy()
    expect(screen.queryByRole('alert')).toBeNull()
    isSaid()
    expect(button('Sign In')).toBeTruthy()
  })
})

describe('the link of a mail', () => {
  test.each([
    ['signup', 'Confirm your email address', 'Confirm my email address'],
    ['email', 'Confirm your email address', 'Confirm my email address'],
    ['recovery', 'Set a new password', 'Set a new password'],
    ['email_change', 'Confirm your new email address', 'Confirm my new email address'],
    ['magiclink', 'Sign in to Solo CRM', 'Sign in'],
    ['invite', 'Accept the invitation', 'Accept the invitation'],
  ])('to a %s is used up by a press only', async (kind, title, label) => {
    service.followMailLink.mockResolvedValue('begun')
    for (const mark of ['#', '?']) {
      service.followMailLink.mockClear()
      await open(`/auth${mark}token_hash=abc&type=${kind}`)
      expect(screen.getByRole('heading', { name: title })).toBeTruthy()
      expect(document.activeElement).toBe(button(label))
      expect(service.followMailLink).not.toHaveBeenCalled()
      await press(label)
      expect(service.followMailLink).toHaveBeenCalledWith({ token_hash: 'abc', type: kind })
      expect(address()).toBe('/auth')
      cleanup()
    }
  })

  test('begins a session, which leads into the app', async () => {
    service.followMailLink.mockImplementation(async () => {
      service.emit('SIGNED_IN', ada)
      return 'begun'
    })
    await open('/auth#token_hash=abc&type=signup')
    await press('Confirm my email address')
    expect(await screen.findByText('The app')).toBeTruthy()
  })

  test('to a new password leads to the form for it', async () => {
    service.followMailLink.mockImplementation(async () => {
      service.emit('PASSWORD_RECOVERY', ada)
      return 'begun'
    })
    await open('/auth#token_hash=abc&type=recovery')
    await press('Set a new password')
    expect(screen.getByLabelText('New Password')).toBeTruthy()
    await vi.waitFor(() => expect(address()).toBe('/auth?view=new-password'))
  })

  test('asks for the press also where somebody is signed in, and does not take him for its owner', async () => {
    await open('/auth#token_hash=abc&type=recovery', ada)
    expect(button('Set a new password')).toBeTruthy()
    expect(screen.queryByLabelText('New Password')).toBeNull()
  })

  test.each([
    ['signup', 'resend the confirmation'],
    ['recovery', 'Forgot your password?'],
  ])('to a %s that is void says so and offers another one', async (kind, offer) => {
    service.followMailLink.mockResolvedValue('void')
    await open(`/auth#token_hash=abc&type=${kind}`)
    await act(async () => screen.getByRole('main').querySelector('form')?.requestSubmit())
    expect(alertText()).toContain(usedUp)
    expect(button(offer)).toBeTruthy()
    expect(address()).toBe('/auth')
  })

  test('that is void is told to whoever is signed in, too', async () => {
    service.followMailLink.mockResolvedValue('void')
    await open('/auth#token_hash=abc&type=email_change', ada)
    await press('Confirm my new email address')
    expect(await screen.findByText('The app')).toBeTruthy()
    expect(toasts.showError).toHaveBeenCalledExactlyOnceWith(usedUp)
  })

  test('that is void is forgotten once a newer one is followed', async () => {
    service.followMailLink.mockResolvedValueOnce('void').mockImplementationOnce(async () => {
      service.emit('SIGNED_IN', ada)
      return 'begun'
    })
    await open('/auth#token_hash=abc&type=signup')
    await press('Confirm my email address')
    expect(alertText()).toContain(usedUp)
    await act(() => router.navigate('/auth#token_hash=def&type=signup'))
    await press('Confirm my email address')
    expect(await screen.findByText('The app')).toBeTruthy()
    expect(toasts.showError).not.toHaveBeenCalled()
  })

  test('that could not be followed stays as good as before', async () => {
    service.followMailLink.mockRejectedValueOnce(offline()).mockResolvedValueOnce('begun')
    await open('/auth#token_hash=abc&type=signup')
    await press('Confirm my email address')
    expect(alertText()).toBe(`${unexpected}The server can’t be reached. Check your connection.`)
    await press('Confirm my email address')
    expect(service.followMailLink).toHaveBeenCalledTimes(2)
    expect(address()).toBe('/auth')
  })

  test('that is one of two says that the other is still to be followed', async () => {
    service.followMailLink.mockResolvedValue('noted')
    await open('/auth#token_hash=abc&type=email_change')
    await press('Confirm my new email address')
    expect(toasts.showToast).toHaveBeenCalledWith({
      title: 'Confirmed',
      message: 'Now open the link we sent to your other address.',
    })
  })

  test('opened in the window of the sign-up, and void, takes the place of its good news', async () => {
    service.signUp.mockResolvedValue(false)
    service.followMailLink.mockResolvedValue('void')
    await open('/auth?tab=signup')
    type('Email', 'ada@example.com')
    type('Password', 'secret-1')
    type('Confirm Password', 'secret-1')
    await press('Sign Up')
    service.sendConfirmationAgain.mockRejectedValueOnce(offline())
    await press('Send again')
    await act(() => router.navigate('/auth#token_hash=abc&type=signup'))
    // What failed before has nothing to do with the link.
    expect(screen.queryByRole('alert')).toBeNull()
    await press('Confirm my email address')
    expect(alertText()).toBe(usedUp)
    expect(screen.queryByText(created)).toBeNull()
  })

  test('replaces another one in the same window', async () => {
    await open('/auth#token_hash=abc&type=signup')
    await act(() => router.navigate('/auth#token_hash=def&type=recovery'))
    expect(button('Set a new password')).toBeTruthy()
  })
})
