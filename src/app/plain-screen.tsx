import { ScreenHeader } from '#ui/screen-header.tsx'
import type { Screen } from './screens.ts'

type PlainScreenProps = { screen: Screen }

/** A screen that is still to be built: its title and one line. */
export function PlainScreen({ screen }: PlainScreenProps) {
  return <ScreenHeader title={screen.name} subtitle={screen.line ?? ''} />
}
