import { RealtimeClient } from '@supabase/realtime-js'
import { accessToken, whenLoaded } from './auth-client.ts'
import { backend, windowHeaders } from './backend.ts'

type Channel = {
  onBroadcast: (payload: unknown) => void
  /** Joined, for the first time or again. */
  onJoined: () => void
  /** The server refuses this session. */
  onRefused: () => void
}

let client: RealtimeClient | undefined

function realtime(): RealtimeClient {
  if (client) return client
  const { url, key } = backend()
  client = new RealtimeClient(`${url.replace(/^http/, 'ws')}/realtime/v1`, {
    params: { apikey: key },
    headers: windowHeaders,
    accessToken,
  })
  return client
}

/** Joins the channel on which the account's windows hear what has changed; the answered function leaves it. */
export function joinChannel(account: string, { onBroadcast, onJoined, onRefused }: Channel) {
  const socket = realtime()
  const channel = socket
    .channel(`account:${account}`, { config: { private: true } })
    .on('broadcast', { event: 'changes' }, ({ payload }) => onBroadcast(payload))
  let isOver = false
  // Without an argument: the library asks for no other token once it was given one, also when it joins again.
  const renew = () => void socket.setAuth().catch(() => {})
  // The token must be known before the channel is joined.
  socket.setAuth().then(
    () => {
      if (isOver) return
      channel.subscribe((status) => {
        if (isOver) return
        if (status === 'SUBSCRIBED') onJoined()
        // A channel that fails on a connection that stands was refused.
        else if (status === 'CHANNEL_ERROR' && socket.isConnected()) onRefused()
      })
    },
    () => {},
  )
  // A channel ends when the token it was joined with expires, unless it gets the next token.
  let unsubscribe = () => {}
  const forget = whenLoaded((auth) => {
    const { data } = auth.onAuthStateChange((event) => {
      if (event === 'TOKEN_REFRESHED' || event === 'SIGNED_IN') renew()
    })
    unsubscribe = () => data.subscription.unsubscribe()
  })
  return () => {
    isOver = true
    forget()
    unsubscribe()
    socket.removeChannel(channel).finally(() => {
      // The next account of this window may have joined its own by now.
      if (socket.getChannels().length === 0) void socket.disconnect()
    })
  }
}
