import { ActionIcon, Button } from '@mantine/core'
import { IconMapPin, IconTrash, IconWorld } from '@tabler/icons-react'
import { Link } from 'react-router'
import { counted } from '#domain/counted.ts'
import { firstLetter } from '#domain/first-letter.ts'
import { safeLink, shownWebsite } from '#domain/web-address.ts'
import { openForm } from '#features/forms/index.ts'
import { TagBadges } from '#features/tags/index.ts'
import { fromList } from '#ui/from-list.ts'
import classes from './company-card.module.css'
import type { Company } from './queries.ts'

/** The estimated height in pixels, until a card is measured. */
export const companyCardHeight = 162

type CompanyCardProps = {
  company: Company
  to: string
  onEdit: () => void
  onDelete: () => void
  /** Called when the user points at Edit. */
  onPointAtEdit: () => void
}

export function CompanyCard({ company, to, onEdit, onDelete, onPointAtEdit }: CompanyCardProps) {
  const { name, industry, location, website, tags, contacts, open_deals } = company
  const link = safeLink(website)
  return (
    <article className={classes.card} aria-label={name}>
      <div className={classes.head}>
        <span className={classes.initial} aria-hidden>
          {firstLetter(name)}
        </span>
        <div className={classes.titles}>
          <h2 className={classes.name} dir="auto" title={name}>
            <Link to={to} state={fromList} data-row-link>
              {name}
            </Link>
          </h2>
          <div className={classes.line}>
            <span dir="auto" title={industry ?? undefined}>
              {industry}
            </span>
            {tags.length > 0 && <TagBadges tags={tags} isInLine />}
          </div>
        </div>
      </div>
      <div className={classes.details}>
        {location && (
          <div className={classes.line}>
            <IconMapPin size={14} stroke={1.5} aria-hidden />
            <span dir="auto" title={location}>
              {location}
            </span>
          </div>
        )}
        {website && (
          <div className={classes.line}>
            <IconWorld size={14} stroke={1.5} aria-hidden />
            {link ? (
              <a href={link} target="_blank" rel="noopener noreferrer" title={link}>
                {shownWebsite(link)}
              </a>
            ) : (
              <span title={website}>{website}</span>
            )}
          </div>
        )}
      </div>
      <div className={classes.foot}>
        <span className={classes.figures}>
          {counted(contacts, 'contact')} · {counted(open_deals, 'open deal')}
        </span>
        <Button
          variant="subtle"
          color="gray"
          px={8}
          fz="sm"
          className={classes.action ?? ''}
          aria-label={`Add task for ${name}`}
          onClick={() => openForm({ form: 'task', company: { id: company.id, name } })}
        >
          Add task
        </Button>
        <Button
          variant="subtle"
          color="gray"
          px={8}
          fz="sm"
          className={classes.action ?? ''}
          aria-label={`Edit ${name}`}
          onClick={onEdit}
          onPointerEnter={onPointAtEdit}
          onFocus={onPointAtEdit}
        >
          Edit
        </Button>
        <ActionIcon
          className={classes.action ?? ''}
          aria-label={`Delete ${name}`}
          title="Delete"
          onClick={onDelete}
        >
          <IconTrash size={16} stroke={1.5} aria-hidden />
        </ActionIcon>
      </div>
    </article>
  )
}
