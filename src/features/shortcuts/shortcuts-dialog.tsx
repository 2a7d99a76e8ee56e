import { Kbd, Modal } from '@mantine/core'
import { Fragment, useEffect, useState } from 'react'
import { keyCaps, type Shortcut } from '#ui/shortcut.ts'
import { shortcutGroups } from './shortcut-groups.ts'
import classes from './shortcuts.module.css'

type ShortcutsDialogProps = { isOpen: boolean; onClose: () => void }

/** The sheet with all keys. */
export function ShortcutsDialog({ isOpen, onClose }: ShortcutsDialogProps) {
  // Opened one render after mounting: only then does Mantine remember the focus to return.
  const [isHere, setIsHere] = useState(false)
  useEffect(() => setIsHere(true), [])
  return (
    <Modal
      opened={isHere && isOpen}
      onClose={onClose}
      title="Keyboard shortcuts"
      size={760}
      yOffset="8dvh"
    >
      <div className={classes.groups}>
        {shortcutGroups.map(({ name, shortcuts }) => (
          <section key={name} className={classes.group} aria-label={name}>
            <h3 className={classes.name}>{name}</h3>
            <dl className={classes.list}>
              {shortcuts.map((shortcut) => (
                <div key={shortcut.does} className={classes.line}>
                  <dt>{shortcut.does}</dt>
                  <dd className={classes.keys}>
                    <Keys shortcut={shortcut} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Modal>
  )
}

function Keys({ shortcut: { keys } }: { shortcut: Shortcut }) {
  return keys.map((key, index) => (
    <Fragment key={key}>
      {index > 0 && <span className={classes.or}>or</span>}
      {keyCaps(key).map((cap) => (
        <Kbd key={cap} size="sm">
          {cap}
        </Kbd>
      ))}
    </Fragment>
  ))
}
