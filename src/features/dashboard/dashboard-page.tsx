import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { nameInAddress } from '#domain/account.ts'
import { useAuth, useSignOut } from '#features/auth/index.ts'
import { openForm } from '#features/forms/index.ts'
import { UncountedNotice } from '#features/money/index.ts'
import { readProblem } from '#lib/errors.ts'
import { lazyPart } from '#ui/lazy-part.tsx'
import { ScreenHeader } from '#ui/screen-header.tsx'
import { ErrorState } from '#ui/states.tsx'
import classes from './dashboard.module.css'
import { FigureCards } from './figure-cards.tsx'
import { useFigures } from './queries.ts'
import { QuickActions } from './quick-actions.tsx'

const Day = lazyPart(async () => (await import('./day.tsx')).Day, {
  name: 'Your day',
  loading: DayPlace,
})

/** On the phone the day stands first: what is below must not jump when it arrives. */
function DayPlace() {
  return <div className={classes.dayPlace} />
}

/** The dashboard: figures, today's tasks and recent activity. */
export function DashboardPage() {
  const { user } = useAuth()
  const { data, dataUpdatedAt, error, refetch } = useFigures()
  const isDayWanted = useOncePainted(data !== undefined)
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const overview = (
    <>
      {(data || !error) && <FigureCards figures={data} />}
      <QuickActions />
      {/* Below what is there before the figures, which must not jump. */}
      <UncountedNotice uncounted={data?.uncounted} />
    </>
  )
  const hasDay = data && isDayWanted
  return (
    <>
      <ScreenHeader
        title={`Welcome back, ${nameInAddress(user?.email)}`}
        tabTitle="Dashboard"
        actions={<HeaderButtons />}
      />
      {error && !data && (
        <ErrorState
          title="The dashboard could not be loaded"
          message={readProblem(error)}
          onRetry={refetch}
        />
      )}
      {!isNarrow && overview}
      {hasDay && (
        <Day figures={data} readAt={dataUpdatedAt}>
          {isNarrow && overview}
        </Day>
      )}
      {isNarrow && !hasDay && (
        <>
          {!error && <DayPlace />}
          {overview}
        </>
      )}
    </>
  )
}

let wasPainted = false

/** Delays the lower part until the figures are painted, unless its code is loaded already. */
function useOncePainted(isThere: boolean): boolean {
  const [isPainted, setIsPainted] = useState(wasPainted)
  useEffect(() => {
    if (!isThere || isPainted) return
    // A timer in the next frame runs after that frame is painted.
    const frame = requestAnimationFrame(() =>
      setTimeout(() => {
        wasPainted = true
        setIsPainted(true)
      }),
    )
    return () => cancelAnimationFrame(frame)
  }, [isThere, isPainted])
  return isPainted
}

function HeaderButtons() {
  const { signOut, isPending } = useSignOut()
  const headButton = classes.headButton ?? ''
  return (
    <>
      <Button className={headButton} onClick={() => openForm({ form: 'contact' })}>
        Add Contact
      </Button>
      <Button
        variant="default"
        className={headButton}
        onClick={() => openForm({ form: 'company' })}
      >
        Add Company
      </Button>
      <Button
        variant="subtle"
        color="gray"
        className={headButton}
        loading={isPending}
        onClick={signOut}
      >
        Sign Out
      </Button>
    </>
  )
}
