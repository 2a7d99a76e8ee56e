import { Button } from '@mantine/core'
import { confirmAction } from '#ui/confirm.tsx'
import classes from './dashboard.module.css'
import { useSampleData } from './queries.ts'

/** The notice about sample data, with a button to remove it. */
export function SamplesBar() {
  const { remove } = useSampleData()
  async function ask(): Promise<void> {
    const goAhead = await confirmAction({
      title: 'Remove the sample data?',
      body: 'This deletes all sample records and their notes, even those you edited. Your own records stay.',
      confirm: 'Remove sample data',
    })
    if (goAhead) remove.mutate()
  }
  return (
    <div className={classes.samples}>
      <span>You’re viewing sample data.</span>
      <Button variant="default" size="compact-sm" loading={remove.isPending} onClick={ask}>
        Remove sample data
      </Button>
    </div>
  )
}
