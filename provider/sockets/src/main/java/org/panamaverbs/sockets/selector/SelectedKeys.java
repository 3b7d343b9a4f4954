package org.panamaverbs.sockets.selector;

import java.nio.channels.SelectionKey;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Set;

/** The selected keys as the application sees them: it may remove some, and add none. */
final class SelectedKeys extends AbstractSet<SelectionKey> {
    private final Set<SelectionKey> keys;

    SelectedKeys(Set<SelectionKey> keys) {
        this.keys = keys;
    }

    @Override
    public Iterator<SelectionKey> iterator() {
        return keys.iterator();
    }

    @Override
    public int size() {
        return keys.size();
    }

    @Override
    public boolean contains(Object some) {
        return keys.contains(some);
    }

    @Override
    public boolean remove(Object some) {
        return keys.remove(some);
    }

    @Override
    public void clear() {
        keys.clear();
    }
}
