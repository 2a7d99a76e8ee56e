import { ActionIcon } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { counted } from '#domain/counted.ts'
import { confirmAction } from '#ui/confirm.tsx'
import { FramedList } from '#ui/framed-list.tsx'
import { EmptyState, ErrorState, LoadingState } from '#ui/states.tsx'
import { type Tag, useDeleteTag, useTagList } from './queries.ts'
import { RenameTagDialog } from './rename-tag-dialog.tsx'
import { TagBadges } from './tag-badges.tsx'
import classes from './tag-list.module.css'

const icon = { size: 16, stroke: 1.5, 'aria-hidden': true }

/** The tags of the account: how many records have each, renamed and deleted on all of them. */
export function TagList() {
  const { rows, isLoading, problem, refetch } = useTagList()
  const [renamed, setRenamed] = useState<Tag | null>(null)
  const remove = useDeleteTag()
  if (isLoading) return <LoadingState text="Loading tags..." />
  if (problem) {
    return <ErrorState title="Your tags could not be loaded" message={problem} onRetry={refetch} />
  }
  if (rows.length === 0) {
    return (
      <EmptyState
        title="No tags yet"
        hint="Tag contacts, companies and deals, for example Newsletter or Key account, and filter lists by tag."
      />
    )
  }
  return (
    <>
      <FramedList aria-label="Tags">
        {rows.map((tag) => (
          <li key={tag.id} className={classes.tag}>
            <div className={classes.about}>
              <div className={classes.name}>
                <TagBadges tags={[tag.name]} />
              </div>
              <div className={classes.counts}>
                {partsOf(tag).map(({ words, to }) => (
                  <Link key={to} to={to}>
                    {words}
                  </Link>
                ))}
              </div>
            </div>
            <div className={classes.actions}>
              <ActionIcon
                aria-label={`Rename ${tag.name}`}
                title="Rename"
                onClick={() => setRenamed(tag)}
              >
                <IconPencil {...icon} />
              </ActionIcon>
              <ActionIcon
                aria-label={`Delete ${tag.name}`}
                title="Delete"
                onClick={async () => {
                  const goAhead = await confirmAction({
                    title: `Delete ${tag.name}?`,
                    body: `${partsOf(tag)
                      .map(({ words }) => words)
                      .join(', ')} will lose this tag. You can undo this.`,
                    confirm: 'Delete',
                    isDangerous: true,
                  })
                  if (goAhead) remove(tag).catch(() => {})
                }}
              >
                <IconTrash {...icon} />
              </ActionIcon>
            </div>
          </li>
        ))}
      </FramedList>
      {renamed && <RenameTagDialog tag={renamed} all={rows} onClose={() => setRenamed(null)} />}
    </>
  )
}

/** '3 contacts', each with the list that shows them. */
function partsOf({ name, contacts, companies, deals }: Tag): { words: string; to: string }[] {
  const query = new URLSearchParams({ tags: name })
  const parts = [
    { count: contacts, words: counted(contacts, 'contact'), to: 'contacts' },
    { count: companies, words: counted(companies, 'company', 'companies'), to: 'companies' },
    { count: deals, words: counted(deals, 'deal'), to: 'deals' },
  ]
  return parts
    .filter(({ count }) => count > 0)
    .map(({ words, to }) => ({ words, to: `/app/${to}?${query}` }))
}
