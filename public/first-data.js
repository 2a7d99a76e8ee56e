// Asks for what the screen of this address shows while the app is still being loaded. The app takes the answers over:
// src/lib/first-data.ts. What is asked for must be what the app would ask for, letter by letter but for the time; a browser test compares.
;(() => {
  const lists = {
    contacts: 'contact_page',
    companies: 'company_page',
    deals: 'deal_page',
    tasks: 'task_page',
  }
  const records = { contacts: 'contact_record', companies: 'company_record', deals: 'deal_record' }
  const preferences =
    'user_id,display_name,time_zone,theme,week_starts_on,currency,rates,number_format,date_format,clock,monthly_goal,lost_reasons,screens'
  try {
    const { pathname, search, hash, origin } = window.location
    // On a slow line this may come later than the app, which has asked by itself then.
    if (window.firstData) return
    // Without a network the device answers: src/lib/device-answers.ts.
    if (!navigator.onLine) return
    // A link of a mail brings a session of its own.
    if (!pathname.startsWith('/app') || hash.includes('access_token')) return
    const settings = JSON.parse(document.getElementById('settings')?.textContent ?? '')
    if (!settings.supabaseKey) return
    const url = (settings.supabaseUrl || origin).replace(/\/$/, '')
    const place = `sb-${new URL(url).hostname.split('.')[0]}-auth-token`
    const session = JSON.parse(localStorage.getItem(place) ?? '')
    // One that is about to expire is renewed by the app.
    if (!session.refresh_token || !(session.expires_at - Date.now() / 1000 > 90)) return
    const token = session.access_token
    const ask = (path, more) => {
      const answer = fetch(`${url}/rest/v1/${path}`, {
        ...more,
        headers: {
          apikey: settings.supabaseKey,
          Authorization: `Bearer ${token}`,
          ...more.headers,
        },
      })
      // The app asks again.
      answer.catch(() => {})
      window.firstData.push({
        url: `${url}/rest/v1/${path}`,
        body: more.body ?? null,
        token,
        answer,
        at: Date.now(),
      })
    }
    window.firstData = []
    const columns = new URLSearchParams({ select: preferences })
    ask(`preferences?${columns}`, { headers: { Accept: 'application/vnd.pgrst.object+json' } })
    const call = (name, args) =>
      ask(`rpc/${name}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(args),
      })
    const screen = pathname.slice('/app/'.length)
    // The query of a record's page is that of the list it was opened from.
    const [, kind, id] = /^(contacts|companies|deals)\/([0-9a-f-]{36})$/.exec(screen) ?? []
    if (id) return call(records[kind], { id })
    if (search) return
    const kept = JSON.parse(localStorage.getItem(`solo-preferences-${session.user.id}`) ?? 'null')
    const list = lists[screen]
    // A list opens as it was last seen.
    if (list && !kept?.screens?.[screen]?.query) {
      const args = { filter: {}, sort: 'created', descending: true, after: null, page_size: 60 }
      call(list, args)
    }
    if (!kept?.time_zone) return
    const { time_zone, week_starts_on } = kept
    const now = new Date()
    const at = now.toISOString()
    if (screen === 'dashboard') call('dashboard', { at, time_zone })
    if (screen === 'reports') {
      // Written as 2026-01-31.
      const day = new Intl.DateTimeFormat('en-CA', { timeZone: time_zone }).format(now)
      call('report', { day, filter: {}, at, time_zone, week_start: week_starts_on })
    }
  } catch {
    // Without a session that can be read, the app finds out what to do.
  }
})()
