import { MantineProvider } from '@mantine/core'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createQueryClient } from '#lib/query-client.ts'
import { beginSession } from '#lib/test-session.ts'
import { confirmAction } from '#ui/confirm.tsx'
import { showToast } from '#ui/toast.tsx'
import { Toasts } from '#ui/toast-host.tsx'
import { useLeaveQuestion } from '#ui/use-leave-question.ts'
import { AuthProvider, useAuth } from './auth-provider.tsx'

type Emit = (event: string, session: { user: { id: string } } | null) => void

// What the client library does, held still so that each event can be sent by hand.
const library = vi.hoisted(() => ({
  emit: (() => {}) as Emit,
  readSession: vi.fn<() => Promise<unknown>>(),
  isSessionFresh: vi.fn(() => false),
  verifySession: vi.fn(async () => {}),
  signOut: vi.fn(async () => {}),
}))

vi.mock('./queries.ts', () => ({
  ...library,
  watchSession: (onEvent: Emit) => {
    library.emit = onEvent
    return () => {}
  },
}))

const newQueryClient = () =>
  createQueryClient({ onSaved: () => {}, onFailed: () => {}, onSessionGone: () => {} })

const session = (id: string) => ({ user: { id } })

function Shown() {
  const auth = useAuth()
  return (
    <>
      <output>{JSON.stringify({ ...auth, user: auth.user?.id ?? null })}</output>
      <button type="button" onClick={() => auth.leave().catch(() => {})}>
        Leave
      </button>
    </>
  )
}

function Typed() {
  useLeaveQuestion(true)
  return null
}

function shown() {
  return JSON.parse(screen.getByRole('status').textContent ?? '')
}

describe('the auth state', () => {
  let queryClient: QueryClient
  beforeEach(() => {
    queryClient = newQueryClient()
    library.readSession.mockReturnValue(new Promise(() => {}))
    vi.clearAllMocks()
    render(
      <QueryClientProvider client={queryClient}>
        <AuthProvider>
          <Shown />
        </AuthProvider>
      </QueryClientProvider>,
    )
  })
  afterEach(cleanup)

  const emit: Emit = (event, value) => act(() => library.emit(event, value))

  test('loading, then signed in or signed out', () => {
    expect(shown()).toMatchObject({ status: 'loading' })
    emit('INITIAL_SESSION', null)
    expect(shown()).toMatchObject({ status: 'signed-out', user: null })
    emit('SIGNED_IN', session('ada'))
    expect(shown()).toMatchObject({ status: 'signed-in', user: 'ada' })
  })

  test.each(['SIGNED_IN', 'TOKEN_REFRESHED', 'USER_UPDATED', 'MFA_CHALLENGE_VERIFIED'])(
    'follows %s',
    (event) => {
      emit('INITIAL_SESSION', session('ada'))
      emit(event, session('ada'))
      expect(shown()).toMatchObject({ status: 'signed-in', user: 'ada', isRecovering: false })
      emit('SIGNED_OUT', null)
      expect(shown()).toMatchObject({ status: 'signed-out', isByChoice: false })
    },
  )

  test('password recovery lasts until the user is updated', () => {
    emit('PASSWORD_RECOVERY', session('ada'))
    emit('TOKEN_REFRESHED', session('ada'))
    expect(shown()).toMatchObject({ isRecovering: true })
    emit('USER_UPDATED', session('ada'))
    expect(shown()).toMatchObject({ isRecovering: false })
  })

  test('a remembered session is not checked before the first answer', () => {
    emit('INITIAL_SESSION', session('ada'))
    expect(library.verifySession).not.toHaveBeenCalled()
  })

  test('the session is checked when the user comes back to the window, once for both events', async () => {
    const comeBack = () => {
      document.dispatchEvent(new Event('visibilitychange'))
      window.dispatchEvent(new Event('focus'))
    }
    emit('INITIAL_SESSION', null)
    comeBack()
    expect(library.verifySession).not.toHaveBeenCalled()
    emit('SIGNED_IN', session('ada'))
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    comeBack()
    expect(library.verifySession).not.toHaveBeenCalled()
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('visible')
    await act(async () => comeBack())
    expect(library.verifySession).toHaveBeenCalledTimes(1)
    await act(async () => comeBack())
    expect(library.verifySession).toHaveBeenCalledTimes(2)
    emit('SIGNED_OUT', null)
    comeBack()
    expect(library.verifySession).toHaveBeenCalledTimes(2)
  })

  test('what one account has read is gone for the next', () => {
    emit('SIGNED_IN', session('ada'))
    queryClient.setQueryData(['contacts'], ['Ada’s'])
    emit('TOKEN_REFRESHED', session('ada'))
    expect(queryClient.getQueryData(['contacts'])).toEqual(['Ada’s'])
    emit('SIGNED_IN', session('grace'))
    expect(queryClient.getQueryData(['contacts'])).toBeUndefined()
  })

  test('what one account is asked is not asked of the next', async () => {
    emit('SIGNED_IN', session('ada'))
    const answer = confirmAction({ title: 'Delete Acme?', body: '', confirm: 'Delete' })
    emit('SIGNED_IN', session('grace'))
    expect(await answer).toBe(false)
  })

  test('what one account was told is gone when it leaves', async () => {
    render(
      <MantineProvider env="test">
        <Toasts />
      </MantineProvider>,
    )
    emit('SIGNED_IN', session('ada'))
    showToast({ message: 'Acme deleted', stays: true })
    await screen.findByText('Acme deleted')
    emit('TOKEN_REFRESHED', session('ada'))
    expect(screen.queryByText('Acme deleted')).not.toBeNull()
    library.signOut.mockImplementationOnce(async () => library.emit('SIGNED_OUT', null))
    await leave()
    showToast({ message: 'Signed out' })
    await screen.findByText('Signed out')
    // It leaves with a transition.
    await waitFor(() => expect(screen.queryByText('Acme deleted')).toBeNull())
  })

  describe('when the session is gone under typed text', () => {
    beforeEach(() => {
      emit('SIGNED_IN', session('ada'))
      queryClient.setQueryData(['contacts'], ['Ada’s'])
      render(<Typed />)
    })

    test('the screen and what was read stay, nothing is read, and the same account goes on', async () => {
      const queryFn = vi.fn(async () => 'read')
      emit('SIGNED_OUT', null)
      expect(shown()).toMatchObject({ status: 'signed-in', user: 'ada', hasEnded: true })
      expect(queryClient.getQueryData(['contacts'])).toEqual(['Ada’s'])
      const next = queryClient.fetchQuery({ queryKey: ['x'], queryFn })
      await act(async () => {})
      expect(queryFn).not.toHaveBeenCalled()
      emit('SIGNED_IN', session('ada'))
      expect(shown()).toMatchObject({ status: 'signed-in', user: 'ada', hasEnded: false })
      expect(await next).toBe('read')
    })

    test('another account finds nothing of it', () => {
      emit('SIGNED_OUT', null)
      emit('SIGNED_IN', session('grace'))
      expect(shown()).toMatchObject({ status: 'signed-in', user: 'grace', hasEnded: false })
      expect(queryClient.getQueryData(['contacts'])).toBeUndefined()
    })

    test('who leaves by choice has been asked, and leaves', async () => {
      library.signOut.mockImplementationOnce(async () => library.emit('SIGNED_OUT', null))
      await leave()
      expect(shown()).toMatchObject({ status: 'signed-out', isByChoice: true })
      expect(queryClient.getQueryData(['contacts'])).toBeUndefined()
    })
  })

  const leave = () => act(async () => screen.getByRole('button', { name: 'Leave' }).click())

  test('from leaving on nothing is read until somebody is signed in', async () => {
    const queryFn = vi.fn(async () => 'read')
    emit('SIGNED_IN', session('ada'))
    await leave()
    const read = queryClient.fetchQuery({ queryKey: ['x'], queryFn })
    read.catch(() => {})
    emit('SIGNED_OUT', null)
    const next = queryClient.fetchQuery({ queryKey: ['y'], queryFn })
    await act(async () => {})
    expect(queryFn).not.toHaveBeenCalled()
    emit('SIGNED_IN', session('grace'))
    expect(await next).toBe('read')
    // What was wanted before the end went with it.
    expect(queryFn).toHaveBeenCalledOnce()
  })

  test('a token renewed while somebody leaves holds neither him nor the reading', async () => {
    const queryFn = vi.fn(async () => 'read')
    library.signOut.mockImplementationOnce(async () => {
      library.emit('TOKEN_REFRESHED', session('ada'))
      queryClient.fetchQuery({ queryKey: ['x'], queryFn }).catch(() => {})
      library.emit('SIGNED_OUT', null)
    })
    emit('SIGNED_IN', session('ada'))
    await leave()
    expect(shown()).toMatchObject({ status: 'signed-out', isByChoice: true })
    expect(queryFn).not.toHaveBeenCalled()
  })

  test('a session that ends elsewhere ends the reading too', async () => {
    const queryFn = vi.fn(async () => 'read')
    emit('SIGNED_IN', session('ada'))
    emit('SIGNED_OUT', null)
    const next = queryClient.fetchQuery({ queryKey: ['x'], queryFn })
    await act(async () => {})
    expect(queryFn).not.toHaveBeenCalled()
    emit('SIGNED_IN', session('ada'))
    expect(await next).toBe('read')
  })

  test('who could not leave goes on reading', async () => {
    const queryFn = vi.fn(async () => 'read')
    library.signOut.mockRejectedValueOnce(new TypeError('Failed to fetch'))
    emit('SIGNED_IN', session('ada'))
    await leave()
    expect(await queryClient.fetchQuery({ queryKey: ['x'], queryFn })).toBe('read')
  })
})

describe('a stored session', () => {
  let end: () => void
  beforeEach(() => {
    end = beginSession()
    library.readSession.mockReturnValue(new Promise(() => {}))
    render(
      <QueryClientProvider client={newQueryClient()}>
        <AuthProvider>
          <Shown />
        </AuthProvider>
      </QueryClientProvider>,
    )
  })
  afterEach(() => {
    cleanup()
    end()
  })

  test('is shown before anything was heard of it', () => {
    expect(shown()).toMatchObject({ status: 'signed-in', user: 'u' })
  })

  test('stays when it could not be renewed because nobody answered', () => {
    act(() => library.emit('INITIAL_SESSION', null))
    expect(shown()).toMatchObject({ status: 'signed-in', user: 'u' })
  })

  test('ends when the server refuses it', () => {
    // The client library removes what was refused.
    localStorage.clear()
    act(() => library.emit('SIGNED_OUT', null))
    act(() => library.emit('INITIAL_SESSION', null))
    expect(shown()).toMatchObject({ status: 'signed-out', isByChoice: false })
  })
})

test('a stored session that lasts is looked up when the first screen has read its data', async () => {
  const end = beginSession()
  library.readSession.mockClear().mockReturnValue(new Promise(() => {}))
  library.isSessionFresh.mockReturnValueOnce(true)
  const queryClient = newQueryClient()
  render(
    <QueryClientProvider client={queryClient}>
      <AuthProvider>
        <Shown />
      </AuthProvider>
    </QueryClientProvider>,
  )
  expect(shown()).toMatchObject({ status: 'signed-in', user: 'u' })
  expect(library.readSession).not.toHaveBeenCalled()
  await act(() => queryClient.fetchQuery({ queryKey: ['first'], queryFn: () => 'read' }))
  await vi.waitFor(() => expect(library.readSession).toHaveBeenCalledOnce(), 20_000)
  cleanup()
  end()
})

test('loading ends after the first session lookup when no event comes', async () => {
  library.readSession.mockResolvedValue(session('ada'))
  render(
    <QueryClientProvider client={newQueryClient()}>
      <AuthProvider>
        <Shown />
      </AuthProvider>
    </QueryClientProvider>,
  )
  await vi.waitFor(
    () => expect(shown()).toMatchObject({ status: 'signed-in', user: 'ada' }),
    20_000,
  )
  cleanup()
})

test('using the auth state outside its provider raises an error', () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  expect(() => render(<Shown />)).toThrow('useAuth must be used within an AuthProvider')
  vi.restoreAllMocks()
})
