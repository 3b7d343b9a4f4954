package org.panamaverbs.iwarp.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.panamaverbs.testkit.Requirement;

class TerminateCodeTest {
    @ParameterizedTest
    @CsvSource({
        "0/0/00, 5040#4.8, RDMAP local catastrophic",
        "0/1/00, 5040#4.8, invalid STag",
        "0/1/01, 5040#4.8, base or bounds",
        "0/1/02, 5040#4.8, access rights",
        "0/1/03, 5040#4.8, STag not associated with RDMAP Stream",
        "0/1/04, 5040#4.8, TO wrap",
        "0/1/09, 5040#4.8, STag cannot be invalidated",
        "0/1/ff, 5040#4.8, unspecified",
        "0/2/05, 5040#4.8, invalid RDMAP version",
        "0/2/06, 5040#4.8, unexpected opcode",
        "0/2/07, 5040#4.8, localized to RDMAP Stream",
        "0/2/08, 5040#4.8, global",
        "0/2/09, 5040#4.8, STag cannot be invalidated",
        "0/2/ff, 5040#4.8, unspecified",
        "1/0/00, 5041#7.2, DDP local catastrophic",
        "1/1/00, 5041#7.2, invalid STag",
        "1/1/01, 5041#7.2, base or bounds",
        "1/1/02, 5041#7.2, STag not associated with DDP Stream",
        "1/1/03, 5041#7.2, TO wrap",
        "1/1/04, 5041#7.2, invalid DDP version",
        "1/2/01, 5041#7.2, invalid QN",
        "1/2/02, 5041#7.2, no buffer",
        "1/2/03, 5041#7.2, range",
        "1/2/04, 5041#7.2, invalid MO",
        "1/2/05, 5041#7.2, too long",
        "1/2/06, 5041#7.2, invalid DDP version",
        "1/3/00, 5041#7.2, reserved for the LLP",
        "2/0/01, 5044#8, TCP connection",
        "2/0/02, 5044#8, CRC",
        "2/0/03, 5044#8, marker and ULPDU_Length",
        "2/0/04, 5044#8, invalid MPA Request or Reply",
        "2/0/05, 6581#8, local catastrophic",
        "2/0/06, 6581#8, insufficient IRD",
        "2/0/07, 6581#8, no matching RTR",
    })
    @Requirement("RDMAP-4.8-03")
    void knowsEveryRegisteredCode(String numbers, String rfc, String words) {
        TerminateCode code = lookup(numbers);
        assertThat(TerminateCode.REGISTERED).contains(code);
        assertThat(code.rfc()).isEqualTo(rfc);
        assertThat(code.text()).contains(words);
        assertThat(code.isRegistered()).isTrue();
        assertThat(code.canonical()).isSameAs(code);
        assertThat(code).hasToString(numbers + " " + code.text());
    }

    @Test
    void listsEveryConstantOnce() {
        List<Object> constants = Arrays.stream(TerminateCode.class.getFields())
                .filter(field -> Modifier.isStatic(field.getModifiers()) && field.getType() == TerminateCode.class)
                .map(TerminateCodeTest::read)
                .toList();
        assertThat(TerminateCode.REGISTERED).hasSize(34).doesNotHaveDuplicates();
        assertThat(constants).containsExactlyInAnyOrderElementsOf(TerminateCode.REGISTERED);
    }

    @Test
    void givesEveryNumberWords() {
        int registered = 0;
        for (int numbers = 0; numbers < 0x10000; numbers++) {
            TerminateCode code = TerminateCode.lookup(numbers >>> 12, numbers >>> 8 & 0xF, numbers & 0xFF);
            assertThat(code.text()).isNotBlank();
            assertThat(code.layer() << 12 | code.errorType() << 8 | code.code()).isEqualTo(numbers);
            registered += code.isRegistered() ? 1 : 0;
        }
        // 32 single codes, 2 types that accept any code, and the MPA codes once more with type 3.
        assertThat(registered).isEqualTo(32 + 2 * 256 + 7);
    }

    @Test
    void generatesWordsForUnregisteredNumbers() {
        TerminateCode code = TerminateCode.lookup(5, 6, 0x7F);
        assertThat(code.isRegistered()).isFalse();
        assertThat(code.text()).isEqualTo("unregistered error, layer 5, type 6, code 0x7f");
        assertThat(code.canonical()).isSameAs(code);
    }

    @Test
    void acceptsAnyCodeWhereTheTypeHasNone() {
        TerminateCode code = TerminateCode.lookup(0, 0, 0x33);
        assertThat(code.code()).isEqualTo(0x33);
        assertThat(code.anyCode()).isTrue();
        assertThat(code.canonical()).isSameAs(TerminateCode.RDMAP_LOCAL_CATASTROPHIC);
        assertThat(TerminateCode.lookup(1, 3, 0x44).canonical()).isSameAs(TerminateCode.DDP_LLP);
        assertThat(TerminateCode.lookup(1, 0, 0x01).isRegistered()).isFalse();
    }

    @Test
    void readsMpaCodesOfAdaptersThatSendTypeThree() {
        for (int number = 1; number <= 7; number++) {
            TerminateCode code = TerminateCode.lookup(2, 3, number);
            assertThat(code.errorType()).isEqualTo(3);
            assertThat(code.canonical()).isSameAs(TerminateCode.lookup(2, 0, number));
            assertThat(code.text()).isEqualTo(code.canonical().text());
        }
        assertThat(TerminateCode.lookup(2, 3, 8).isRegistered()).isFalse();
    }

    @Test
    @Requirement({"RDMAP-4.8-09", "RDMAP-4.8-12"})
    void saysWhichHeadersGoWithIt() {
        assertThat(TerminateCode.REGISTERED)
                .filteredOn(TerminateCode::includesReadRequest)
                .allMatch(code -> code.layer() == 0 && code.errorType() == 1)
                .hasSize(7);
        assertThat(TerminateCode.RDMAP_LOCAL_CATASTROPHIC.includesDdpHeader()).isFalse();
        assertThat(TerminateCode.UNEXPECTED_OPCODE.includesDdpHeader()).isTrue();
        assertThat(TerminateCode.UNTAGGED_NO_BUFFER.includesDdpHeader()).isTrue();
        assertThat(TerminateCode.MPA_CRC.includesDdpHeader()).isFalse();
    }

    private static TerminateCode lookup(String numbers) {
        String[] parts = numbers.split("/", -1);
        return TerminateCode.lookup(
                Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), Integer.parseInt(parts[2], 16));
    }

    private static Object read(java.lang.reflect.Field field) {
        try {
            return field.get(null);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }
}
