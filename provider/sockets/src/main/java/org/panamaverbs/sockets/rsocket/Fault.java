package org.panamaverbs.sockets.rsocket;

/** How a message of a peer can break the protocol; each of them ends its connection. */
public enum Fault {
    /** None: the message was taken. */
    NONE("no fault"),
    /** A message of a type that the protocol reserves. */
    RESERVED_TYPE("a message of a reserved type"),
    /** A message of data without any. */
    EMPTY_DATA("a data message of 0 bytes"),
    /** More messages than the peer had credits for. */
    BEYOND_CREDITS("more messages than its credits allow"),
    /** More bytes than the peer has room for, or a message across the end of a buffer. */
    BEYOND_BUFFER("more bytes in a message than fit in the buffer"),
    /** Data behind the message that none follow. */
    DATA_BEHIND_END("data after its end"),
    /** A limit of credits that is less than what was granted before, or so far ahead that it is. */
    LIMIT_LOWERED("a credit limit below the one granted before"),
    /** An entry of the table that was written while the one before in its place was in use. */
    ENTRY_IN_USE("a table entry in a slot that is in use"),
    /** An entry of the table whose length or address cannot be. */
    BAD_ENTRY("a table entry with an invalid length or address"),
    /** An iomap entry that this side does not have. */
    NO_IOMAP("an iomap entry that was not offered"),
    /** A message that is not immediate data where all are, or not of four bytes where they are payload. */
    MESSAGE_FORM("a malformed message");

    private final String text;

    Fault(String text) {
        this.text = text;
    }

    /** Returns what the peer sent, for a sentence that begins with "the peer sent". */
    public String text() {
        return text;
    }
}
