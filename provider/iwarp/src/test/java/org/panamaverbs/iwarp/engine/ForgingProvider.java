package org.panamaverbs.iwarp.engine;

import java.nio.ByteBuffer;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import java.util.List;
import java.util.Map;
import javax.crypto.BadPaddingException;
import javax.crypto.Cipher;
import javax.crypto.CipherSpi;
import javax.crypto.IllegalBlockSizeException;
import javax.crypto.ShortBufferException;

/**
 * The JDK's AES/GCM, but that TLS 1.3 data which looks like key updates is sent as just that: as handshake messages,
 * all in one record, as no engine sends them.
 */
final class ForgingProvider extends Provider {
    private static final long serialVersionUID = 1L;
    private static final String ALGORITHM = "AES/GCM/NoPadding";
    private static final byte[] KEY_UPDATE = {0x18, 0, 0, 1, 1};
    // RFC 8446 §5.2: what is encrypted ends with its type, and zeros.
    private static final byte DATA = 0x17;
    private static final byte HANDSHAKE = 0x16;

    ForgingProvider() {
        super("Forging", "1", "forges TLS records");
        putService(new Service(this, "Cipher", ALGORITHM, ForgingCipher.class.getName(), List.of(), Map.of()) {
            @Override
            public Object newInstance(Object parameter) throws NoSuchAlgorithmException {
                return new ForgingCipher();
            }
        });
    }

    /** Returns {@code count} key updates that want an answer. */
    static byte[] keyUpdates(int count) {
        ByteBuffer octets = ByteBuffer.allocate(count * KEY_UPDATE.length);
        for (int i = 0; i < count; i++) {
            octets.put(KEY_UPDATE);
        }
        return octets.array();
    }

    private static final class ForgingCipher extends CipherSpi {
        private final Cipher real;
        private boolean encrypting;

        ForgingCipher() throws NoSuchAlgorithmException {
            try {
                real = Cipher.getInstance(ALGORITHM, "SunJCE");
            } catch (GeneralSecurityException e) {
                throw new NoSuchAlgorithmException(e);
            }
        }

        @Override
        protected int engineDoFinal(ByteBuffer in, ByteBuffer out)
                throws ShortBufferException, IllegalBlockSizeException, BadPaddingException {
            if (encrypting && in.remaining() > KEY_UPDATE.length && looksForged(in)) {
                int type = in.limit() - 1;
                while (in.get(type) == 0) {
                    type--;
                }
                if (in.get(type) == DATA) {
                    in.put(type, HANDSHAKE);
                }
            }
            return real.doFinal(in, out);
        }

        private static boolean looksForged(ByteBuffer in) {
            return in.duplicate().limit(in.position() + KEY_UPDATE.length).equals(ByteBuffer.wrap(KEY_UPDATE));
        }

        @Override
        protected void engineInit(int mode, Key key, AlgorithmParameterSpec parameters, SecureRandom random)
                throws InvalidKeyException, InvalidAlgorithmParameterException {
            encrypting = mode == Cipher.ENCRYPT_MODE;
            real.init(mode, key, parameters, random);
        }

        @Override
        protected void engineInit(int mode, Key key, AlgorithmParameters parameters, SecureRandom random)
                throws InvalidKeyException, InvalidAlgorithmParameterException {
            encrypting = mode == Cipher.ENCRYPT_MODE;
            real.init(mode, key, parameters, random);
        }

        @Override
        protected void engineInit(int mode, Key key, SecureRandom random) throws InvalidKeyException {
            encrypting = mode == Cipher.ENCRYPT_MODE;
            real.init(mode, key, random);
        }

        @Override
        protected void engineUpdateAAD(byte[] data, int offset, int length) {
            real.updateAAD(data, offset, length);
        }

        @Override
        protected byte[] engineUpdate(byte[] in, int offset, int length) {
            return real.update(in, offset, length);
        }

        @Override
        protected int engineUpdate(byte[] in, int offset, int length, byte[] out, int outOffset)
                throws ShortBufferException {
            return real.update(in, offset, length, out, outOffset);
        }

        @Override
        protected byte[] engineDoFinal(byte[] in, int offset, int length)
                throws IllegalBlockSizeException, BadPaddingException {
            return in == null ? real.doFinal() : real.doFinal(in, offset, length);
        }

        @Override
        protected int engineDoFinal(byte[] in, int offset, int length, byte[] out, int outOffset)
                throws ShortBufferException, IllegalBlockSizeException, BadPaddingException {
            return real.doFinal(in, offset, length, out, outOffset);
        }

        @Override
        protected int engineGetOutputSize(int length) {
            return real.getOutputSize(length);
        }

        @Override
        protected int engineGetBlockSize() {
            return real.getBlockSize();
        }

        @Override
        protected byte[] engineGetIV() {
            return real.getIV();
        }

        @Override
        protected AlgorithmParameters engineGetParameters() {
            return real.getParameters();
        }

        @Override
        protected void engineSetMode(String mode) throws NoSuchAlgorithmException {
            throw new NoSuchAlgorithmException(mode);
        }

        @Override
        protected void engineSetPadding(String padding) {
            throw new UnsupportedOperationException(padding);
        }
    }
}
